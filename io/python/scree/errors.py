"""What goes wrong."""


class Error(RuntimeError):
    """A call that failed: `status` is the number of scree.h, the text its sentence."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
