"""`python -m lamella.cli` is `lamella`."""

import sys

from .main import main

sys.exit(main())
