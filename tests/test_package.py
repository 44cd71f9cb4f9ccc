"""What `import itemcurve` costs."""

import subprocess
import sys


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, itemcurve; heavy = {'numpy', 'scipy', 'pandas', 'sklearn', 'jax', "
        "'matplotlib', 'jinja2'} & set(sys.modules); "
        "print(', '.join(sorted(heavy)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
