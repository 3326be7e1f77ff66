import sys

BACKEND = "cordon_figures"

RICH = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
)


def to_bytes(content):
    if isinstance(content, tuple):
        content = content[0]
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    return str(content).encode("utf-8", "backslashreplace")


def is_figure(value):
    return type(value).__module__ == "matplotlib.figure" and hasattr(value, "savefig")


def png_of(figure):
    import io

    target = io.BytesIO()
    figure.savefig(target, format="png", bbox_inches="tight")
    return target.getvalue()


def representations(value):
    """Everything that a value can be shown as, beside its text. An object that fails to describe itself has one way less."""
    if isinstance(value, type):
        return {}
    found = {}
    if is_figure(value):
        found["image/png"] = png_of(value)
    for name, mime in RICH:
        method = getattr(value, name, None)
        if callable(method):
            try:
                content = method()
            except Exception:
                continue
            if content is not None:
                found[mime] = to_bytes(content)
    return found


class Screen:
    """Sends what the code displays, in order and within a limit."""

    def __init__(self, send):
        self.send = send
        self.begin(0)

    def begin(self, limit):
        self.left = limit
        self.dropped = 0

    def show(self, found):
        size = sum(len(content) for content in found.values())
        if size > self.left or size > MOST - 4096:
            self.dropped += 1
            return
        self.left -= size
        fields = []
        for mime, content in found.items():
            fields += [mime.encode(), content]
        self.send(DISPLAY, fields)

    def display(self, *values):
        """Shows values: pictures and tables as such, everything else as text."""
        for value in values:
            found = representations(value)
            found.setdefault("text/plain", to_bytes(repr(value)))
            self.show(found)

    def figures(self):
        """Shows the figures that are open and closes them."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None or not hasattr(pyplot, "get_fignums"):
            return
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            try:
                if figure.get_axes() or figure.texts or figure.images or figure.lines:
                    self.show({"image/png": png_of(figure), "text/plain": to_bytes(repr(figure))})
            finally:
                pyplot.close(figure)


class Figures:
    """A backend for matplotlib, found by import, whose show() goes to the screen. Processes that the code starts use Agg."""

    def __init__(self, screen):
        self.screen = screen

    def find_spec(self, name, path=None, target=None):
        from importlib.machinery import ModuleSpec, PathFinder

        if name == BACKEND:
            return ModuleSpec(name, self)
        if name == "matplotlib":
            spec = PathFinder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                spec.loader = Chosen(spec.loader)
            return spec
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        from matplotlib.backend_bases import FigureManagerBase
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        screen = self.screen

        class FigureCanvas(FigureCanvasAgg):
            pass

        def new_figure_manager_given_figure(num, figure):
            return FigureManagerBase(FigureCanvas(figure), num)

        def new_figure_manager(num, *args, FigureClass=None, **kwargs):
            from matplotlib.figure import Figure

            return new_figure_manager_given_figure(num, (FigureClass or Figure)(*args, **kwargs))

        module.FigureCanvas = FigureCanvas
        module.FigureManager = FigureManagerBase
        module.new_figure_manager = new_figure_manager
        module.new_figure_manager_given_figure = new_figure_manager_given_figure
        module.draw_if_interactive = lambda: None
        module.show = lambda *args, **kwargs: screen.figures()


class Chosen:
    """Loads matplotlib, then chooses the backend."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        module.rcParams["backend"] = "module://" + BACKEND
