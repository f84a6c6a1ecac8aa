"""`python tools/parity ops` is `python tools/parity/parity.py ops`."""
import sys

from parity import main

sys.exit(main())
