"""Random releases as SQL in PostgreSQL."""

import exports


def run(case, count, seed):
    server = exports.Server(case.folder)
    try:
        exports.run(case, count, seed, {"sql": ("sql", [server])})
    finally:
        server.stop()
