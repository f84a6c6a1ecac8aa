"""From a family's YAML to the modules that serve its operators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .model import KEYS, KINDS, Op, expand
from .writer import Writer, environment, header
from .yaml_loader import Map, load

_TEMPLATES = Path(__file__).parent / "templates"
_PROMOTES = ("arith", "exact", "float", "compare", "none")


def load_family(path: Path, name: str) -> list[Op]:
    """Read and check ``ops/<family>.yaml``; faults carry file and line."""
    rows: list[tuple[dict[str, Any], str]] = []
    seen: dict[str, Map] = {}
    for row in load(path, name=name).maps("an operator"):
        row.check_keys(KEYS, ("func",))
        schema = row.schema("func")
        row.choice("kind", KINDS, "kernel")
        row.choice("promote", _PROMOTES, "arith")
        full = schema.full_name
        if full in seen:
            row.fail(f"{full} is declared twice", "func", hint=f"first at {seen[full].where}")
        varargs = row.take("varargs", str)
        if varargs is not None and varargs not in [a.name for a in schema.arguments]:
            row.fail(f"varargs names no parameter of {full}", "varargs")
        seen[full] = row
        rows.append((row, row.where))
    return expand(rows, path.stem)


def render_family(path: Path, package: str, writer: Writer, *, root: Path, command: str) -> list[Op]:
    """Write ``_gen/<family>{,_cpu,_cuda,_meta}.py`` for one YAML file of ``package`` (``lamella.core``)."""
    family = path.stem
    ops = load_family(path, str(path.relative_to(root)) if path.is_relative_to(root) else path.name)
    source = f"{package}/ops/{path.name}"
    base = f"{package}._gen.{family}"
    qualified = family if package == "lamella.core" else f"{package}.{family}"
    env = environment_for_code()
    top = header([path], command, root=root)
    context = {
        "ops": ops,
        "family": qualified,
        "source": source,
        "kernels": f"{package}.kernels.{family}",
        "metas": f"{package}.meta.{family}",
        "ks": 1,
        "cpu": f"{base}_cpu",
        "providers": [
            ("1", f"{base}_cpu"),
            ("2", f"{base}_cuda"),
            ("3", f"{base}_meta"),
            ("65", f"{package}.composite.{family}"),
        ],
    }
    for suffix, template in (("", "api"), ("_cpu", "cpu"), ("_cuda", "cuda"), ("_meta", "meta")):
        text = env.get_template(f"{template}.py.j2").render(**context)
        writer.write(f"{family}{suffix}.py", top + tidy(text))
    return ops


def environment_for_code() -> Any:
    """The jinja2 environment of the code templates."""
    env = environment(_TEMPLATES, py=repr)
    # The templates place their own line breaks.
    env.trim_blocks = env.lstrip_blocks = False
    return env


def tidy(text: str) -> str:
    """Two blank lines between definitions, none at the ends, no trailing spaces."""
    lines = [line.rstrip() for line in text.splitlines()]
    out: list[str] = []
    for line in lines:
        if line:
            if out and line.startswith(("def ", "class ", "METHODS", "FUNCTIONS", "BIND")):
                while out and not out[-1]:
                    out.pop()
                if not out[-1].startswith("@"):
                    out += ["", ""]
            out.append(line)
        elif out and out[-1]:
            out.append("")
    return "\n".join(out).strip("\n") + "\n"
