"""The configured cluster, whose dependencies are imported only if there is one."""

import os

from webapp.app.reading.executors import CLUSTER, ClusterError, ReadingExecutor, missing_extra


def named_cluster() -> ReadingExecutor | None:
    """Return the cluster that `STARGAZER_CLUSTER` names, None if unset. Raises ClusterError."""
    address = os.environ.get(CLUSTER)
    if not address:
        return None
    try:
        from webapp.app.reading.cluster import Cluster
    except ModuleNotFoundError as error:
        raise ClusterError(missing_extra(f"{CLUSTER} asks for a cluster")) from error
    return Cluster(address)
