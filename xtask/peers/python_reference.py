"""Prints the reference of the Python package as Markdown: python_reference.py FOLDER, the folder of the package.

Signatures and docstrings (numpydoc) are read from the source, so the package need not be built.
"""

import ast
import inspect
import os
import sys
import textwrap

HEAD = """# Reference of the Python package

Generated from the docstrings by `cargo xtask docs`. The [guide](python.md) explains how the parts fit together.
"""

KINDS = [("Estimators", ["TreeClassifier", "BoostClassifier", "Clusters", "Recoder"]), ("Policies", ["Policy"])]


def read(folder):
    """All classes and functions at the top level of the package's modules, by name."""
    found = {}
    # Stubs come last: they describe what the compiled part defines.
    for file in sorted(os.listdir(folder), key=lambda name: (name.endswith(".pyi"), name)):
        if file.endswith((".py", ".pyi")):
            with open(os.path.join(folder, file), encoding="utf-8") as source:
                for node in ast.parse(source.read()).body:
                    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                        found.setdefault(node.name, node)
    return found


def public_names(folder):
    """The names in `__all__`."""
    with open(os.path.join(folder, "__init__.py"), encoding="utf-8") as source:
        for node in ast.parse(source.read()).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                return ast.literal_eval(node.value)
    sys.exit("the package has no __all__")


def signature(node, name, bound):
    """A call as users write it: without `self` and without types."""
    given = node.args
    words = [word.arg for word in given.posonlyargs + given.args]
    defaults = [None] * (len(words) - len(given.defaults)) + given.defaults
    parts = list(zip(words, defaults))[1 if bound else 0 :]
    shown = [parameter(*part) for part in parts]
    if given.vararg:
        shown.append("*" + given.vararg.arg)
    elif given.kwonlyargs:
        shown.append("*")
    shown += [parameter(word.arg, default) for word, default in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        shown.append("**" + given.kwarg.arg)
    line = f"{name}({', '.join(shown)})"
    if len(line) <= 100:
        return line
    return textwrap.fill(line, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def parameter(name, default):
    return name if default is None else f"{name}={ast.unparse(default)}"


def decorators(node):
    return {getattr(word, "id", getattr(word, "attr", "")) for word in node.decorator_list}


def sections(text):
    """The parts of a docstring: a title (empty for the first part) and its lines."""
    lines = inspect.cleandoc(text).splitlines()
    parts = [("", [])]
    for place, line in enumerate(lines):
        under = lines[place + 1] if place + 1 < len(lines) else ""
        if line and under and set(under) == {"-"}:
            parts.append((line, []))
        elif not (line and set(line) == {"-"}):
            parts[-1][1].append(line)
    return [(title, "\n".join(body).strip("\n")) for title, body in parts]


def prose(text):
    """Text of a docstring as Markdown: examples as code, double backticks as single ones."""
    out, code = [], False
    for line in text.splitlines():
        if line.startswith(">>>") and not code:
            out += ["```python"]
            code = True
        elif code and not line:
            out += ["```"]
            code = False
        out.append(line if code else line.replace("``", "`"))
    return "\n".join(out + ["```"] if code else out)


def entries(text):
    """The entries of a list of parameters: the line of the name, and its description."""
    found = []
    for line in text.splitlines():
        if line and not line.startswith(" "):
            found.append((line, []))
        elif found:
            found[-1][1].append(line.strip())
    return [(head, " ".join(word for word in body if word)) for head, body in found]


def item(head, body):
    name, _, kind = head.partition(" : ")
    kind = f" ({prose(kind)})" if kind else ""
    line = f"- `{name}`{kind}: {prose(body)}" if body else f"- `{name}`{kind}"
    return wrapped(line, "  ")


def wrapped(line, indent=""):
    return textwrap.fill(line, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def described(node, owner):
    text = ast.get_docstring(node)
    if text is None:
        sys.exit(f"`{owner}` has no docstring")
    out = []
    for title, body in sections(text):
        if title in ("Parameters", "Attributes", "Returns", "Raises"):
            out.append(f"*{title}*\n\n" + "\n".join(item(*entry) for entry in entries(body)))
        else:
            out.append((f"*{title}*\n\n" if title else "") + prose(body))
    return "\n\n".join(out)


def functions(node):
    return [part for part in node.body if isinstance(part, ast.FunctionDef)]


def members(node, found):
    """The public methods and properties of a class, those of its own bases in the package included."""
    own = {part.name: part for part in functions(node) if not part.name.startswith("_")}
    for base in node.bases:
        base = found.get(getattr(base, "id", ""))
        if isinstance(base, ast.ClassDef):
            own |= {name: part for name, part in members(base, found).items() if name not in own}
    return own


def initializer(node, found):
    own = next((part for part in functions(node) if part.name == "__init__"), None)
    bases = (found.get(getattr(base, "id", "")) for base in node.bases)
    return own or next((initializer(base, found) for base in bases if isinstance(base, ast.ClassDef)), None)


def code(text):
    return f"```python\n{text}\n```"


def of_class(name, node, found):
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    if "IncrowdError" in bases or name == "IncrowdError":
        bases = ", ".join(f"`{base}`" for base in bases)
        return f"### {name}\n\nA subclass of {bases}.\n\n{described(node, name)}"
    out = [f"### {name}"]
    made = initializer(node, found)
    # A class without parameters in its docstring is returned by a function, not made by users.
    if made and "Parameters\n" in ast.get_docstring(node):
        out.append(code(signature(made, name, bound=True)))
    out.append(described(node, name))
    for member, part in members(node, found).items():
        words, full = decorators(part), f"{name}.{member}"
        out.append(f"#### {full}")
        if "property" not in words:
            out.append(code(signature(part, full if words & {"classmethod", "staticmethod"} else member, "staticmethod" not in words)))
        out.append(described(part, full))
    return "\n\n".join(out)


def main(folder):
    found, names = read(folder), public_names(folder)
    errors = [name for name in names if "IncrowdError" in (name, *(getattr(base, "id", "") for base in getattr(found[name], "bases", [])))]
    functions_ = [name for name in names if isinstance(found[name], ast.FunctionDef)]
    named = [name for _, some in KINDS for name in some]
    results = [name for name in names if name not in errors + functions_ + named]
    parts = [HEAD.strip()]
    for title, some in [*KINDS, ("Functions", functions_), ("Results", results), ("Exceptions", errors)]:
        parts.append(f"## {title}")
        for name in some:
            node = found[name]
            if isinstance(node, ast.ClassDef):
                parts.append(of_class(name, node, found))
            else:
                parts.append(f"### {name}\n\n{code(signature(node, name, bound=False))}\n\n{described(node, name)}")
    print("\n\n".join(parts))


main(sys.argv[1])
