#!/bin/bash
# get-mysql.sh [FOLDER [PACKAGE...]]: unpacks a real MySQL, Debian unstable's mysql-server-core, into FOLDER without installing
# anything: the packages with every library that they need are fetched from this machine's Debian mirror and run by their own
# loader. FOLDER/bin/{mysqld,mysql,...} are scripts to call. Does nothing where FOLDER is complete. Needs apt (any Debian, no
# root), dpkg-deb, 66 MB to fetch and 230 MB on disk.
#   get-mysql.sh                                 MySQL, into the folder where the tests look for it
#   get-mysql.sh ~/.cache/almanac/mariadb-11 mariadb-server-core mariadb-client-core galera-4     MariaDB 11.8
set -eu
folder=$(realpath -m "${1:-${ALMANAC_MYSQL:-${XDG_CACHE_HOME:-$HOME/.cache}/almanac/mysql}}")
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- mysql-server-core mysql-client-core
[ -f "$folder/.complete" ] && exit 0

suite=${SUITE:-sid}
mirror=${MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" "Created-By: Packages" | grep -m1 "/debian/*$" | sed "s,/*$,,")}
keys=${KEYS:-/usr/share/keyrings/debian-archive-keyring.gpg}
rm -rf "$folder"
# Half a server is none.
trap '[ -f "$folder/.complete" ] || rm -rf "$folder"' EXIT
apt=$folder/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/root" "$folder/bin"
echo "deb [signed-by=$keys] $mirror $suite main" > "$apt/sources.list"
: > "$apt/status"

get() {
  apt-get -q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null -o "Dir::State=$apt" \
    -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" \
    -o Debug::NoLocking=true -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=3 \
    "$@" >> "$apt/log" 2>&1 || { tail -5 "$apt/log" >&2; exit 1; }
}
get update
get -y --no-install-recommends --download-only install "$@"

# Libraries are unpacked, and what was asked for; what only a whole system needs (perl, dpkg, coreutils) is not.
asked=" $* "
is_needed() {
  case "$asked" in *" $1 "*) return 0 ;; esac
  case $1 in
    libperl* | *-perl | libdb5* | libc-bin | libicu-dev) return 1 ;;
    lib* | zlib1g | galera-4 | mariadb-common | mysql-common) return 0 ;;
  esac
  return 1
}
for deb in "$apt"/cache/archives/*.deb; do
  name=$(basename "$deb")
  if is_needed "${name%%_*}"; then dpkg-deb -x "$deb" "$folder/root"; fi
done
find "$folder/root/usr/bin" -maxdepth 1 -type f ! -name mysql ! -name mysqldump ! -name mysqladmin ! -name mysqlbinlog ! -name 'maria*' -delete
rm -rf "$folder"/root/usr/share/{doc,man,locale} "$apt/lists" "$apt/cache"

loader=$(find "$folder/root" -name 'ld-linux-*.so.*' -not -path '*/doc/*' | head -1)
[ -n "$loader" ] || { echo "no loader among the packages" >&2; exit 1; }
libraries=$(find "$folder/root" -name '*.so*' -not -path '*/plugin/*' -not -path '*/gconv/*' -printf '%h\n' | sort -u | paste -sd:)
usr=$folder/root/usr
for program in "$usr"/sbin/my* "$usr"/sbin/maria* "$usr"/bin/my* "$usr"/bin/maria*; do
  [ -f "$program" ] && head -c 4 "$program" | grep -q ELF || continue
  # What a server would look for in /usr and /var is here.
  case $(basename "$program") in
    mysqld) own="--basedir=$usr --plugin-dir=$usr/lib/mysql/plugin --secure-file-priv=NULL" ;;
    mariadbd) own="--basedir=$usr --lc-messages-dir=$usr/share/mysql --character-sets-dir=$usr/share/mysql/charsets" ;;
    *) own= ;;
  esac
  script=$folder/bin/$(basename "$program")
  {
    echo '#!/bin/sh'
    echo 'case "${1:-}" in --no-defaults | --defaults-file=*) first=$1 && shift ;; *) first= ;; esac'
    echo "exec '$loader' --argv0 '$program' --library-path '$libraries' '$program' \$first $own \"\$@\""
  } > "$script"
  chmod +x "$script"
done
touch "$folder/.complete"
