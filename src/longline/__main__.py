"""`python -m longline` is `longline`."""

from longline.cli import main

if __name__ == "__main__":
    main()
