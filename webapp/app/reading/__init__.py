"""From an uploaded photograph to the pieces on each board: queue, processes, uncertainties."""
