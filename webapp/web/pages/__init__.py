"""The pages, a blueprint for each part of an evening: `blueprints` lists them."""
