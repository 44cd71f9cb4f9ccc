"""The service behind a real socket, in a thread."""

import threading
import time

from itemcurve.service.server import Address, configure


class HttpService:
    """Listens at a free port until stopped."""

    def __init__(self, store, settings) -> None:
        import uvicorn

        self.server = uvicorn.Server(configure(store, settings, Address("127.0.0.1", 0)))
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()
