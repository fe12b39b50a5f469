"""The program, as ``python -m affray``."""

from affray.tools.entry import main

if __name__ == "__main__":
    main()
