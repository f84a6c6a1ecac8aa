"""Rules of lowering, by family; importing this package registers them, and those of ``compile/templates``."""

from importlib import import_module, util
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
_found = util.find_spec("lamella.compile.templates")
for _module in iter_modules(_found.submodule_search_locations if _found else ()):
    import_module(f"lamella.compile.templates.{_module.name}")
