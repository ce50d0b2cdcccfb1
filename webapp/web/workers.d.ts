/* What `offline.py` writes before the service worker. */

declare const SHIPPED: { version: string; assets: string[] };
