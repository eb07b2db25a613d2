# shellcheck shell=bash disable=SC2034 # the lists are for the scripts that source this
# packages.sh: Debian packages of Scree, and a quick way to have them.
# Sourced by cases/demo and tests/run; needs root or sudo only if one is missing.

build_packages=(build-essential cmake ninja-build pkg-config git ca-certificates file
  libopenmpi-dev openmpi-bin libhdf5-openmpi-dev libtrilinos-zoltan-dev libyaml-dev libqhull-dev
  libsuitesparse-dev)
# Optional: terrain and maps as GeoTIFF, releases from GeoJSON and shapefiles.
map_packages=(libgdal-dev)
# In situ pictures, and tests that open results in ParaView. Large (2.5 GB), and
# python3-paraview conflicts with python3-vtk9, which yade and python3-siconos
# bring: never those beside it.
paraview_packages=(paraview-dev python3-paraview xvfb xauth)
# Clang, because its OpenMP library tells the thread sanitizer who waits for
# whom; GCC's does not, and every loop would look like a race.
# slurm-wlm and munge, because the job script of cases/cluster is tested under a SLURM
# that the test starts; iproute2, for hosts that are network namespaces.
# python3-jsonschema and python3-yaml read case files by the schema that the program
# prints; groff-base renders its manual pages, zsh reads its completion; chromium opens
# its reports.
test_packages=(libcmocka-dev python3 python3-h5py python3-matplotlib libbullet-dev libccd-dev gnuplot-nox
  clang libclang-rt-dev libomp-dev ffmpeg libhdf5-dev libmpfr-dev gcovr
  slurm-wlm munge iproute2 python3-jsonschema python3-yaml groff-base zsh
  chromium)
# The version that the sources are laid out by. Later versions lay out differently: where
# only they are, the test of the layout is left out (tests/check_format).
layout_packages=(clang-format-14)

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "not root, and no sudo, for: $*" >&2
    return 1
  fi
}

# is_offered PACKAGE: this release of Debian has it.
is_offered() {
  apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

# want PACKAGE...: as need, but what this release does not have is named and done without.
want() {
  local offered=() package
  if ! command -v apt-cache >/dev/null; then
    need "$@"
    return
  fi
  for package in "$@"; do
    if is_installed "$package" || is_offered "$package"; then
      offered+=("$package")
    else
      echo "not in this release of Debian, and done without: $package"
    fi
  done
  [[ ${#offered[@]} -eq 0 ]] || need "${offered[@]}"
}

# need PACKAGE...: installs those that are missing.
need() {
  if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: these packages are assumed to be there: $*" >&2
    return 0
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  echo "installing: ${missing[*]}"
  as_root apt-get -q -o DPkg::Lock::Timeout=300 update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
      -o DPkg::Lock::Timeout=300 install --no-install-recommends "${missing[@]}"
}
