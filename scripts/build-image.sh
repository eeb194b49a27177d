#!/bin/sh
# Builds a container image of what `npm run build` made, with no daemon and no base image (docs/container-image.md).
# Needs buildah, mmdebstrap and npm, and root. Usage: scripts/build-image.sh [archive]
set -eu
cd "$(dirname "$0")/.."
archive=$(realpath -m "${1:-almanac-image.tar}")
suite=${DEBIAN_SUITE:-bookworm}
node=${NODE_PACKAGE_VERSION:-24}
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "There is no package of Node for $(uname -m)." >&2; exit 1 ;;
esac
[ -f dist/main.js ] && [ -f web/dist/names.json ] || { echo 'Nothing is built: run npm run build.' >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
app=$root/app

# Only the files of the libraries that Node needs: no shell, no package manager.
mmdebstrap --mode=root --variant=extract --include=base-files,netbase,libc6,libgcc-s1,libstdc++6 "$suite" "$root"
rm -rf "$root/usr/share/doc" "$root/usr/share/locale" "$root/var/cache/apt" "$root/var/lib/apt"
printf 'root:x:0:0:root:/:/sbin/nologin\nalmanac:x:1000:1000::/app:/sbin/nologin\n' >"$root/etc/passwd"
printf 'root:x:0:\nalmanac:x:1000:\n' >"$root/etc/group"

(cd "$work" && npm pack --silent "node-linux-$arch@$node" >/dev/null && tar -xzf node-linux-*.tgz package/bin/node)
install -D -m 755 "$work/package/bin/node" "$root/usr/local/bin/node"

mkdir -p "$app/packages" "$app/web" "$app/scripts"
cp package.json package-lock.json .npmrc LICENSE "$app"
cp -r packages/client "$app/packages/client"
(cd "$app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund)
cp -r bin dist docs "$app"
cp -r web/dist "$app/web/dist"
cp scripts/health-check.mjs "$app/scripts"
chmod -R go+rX "$app"

export STORAGE_DRIVER=vfs BUILDAH_FORMAT=docker
buildah="buildah --root $work/storage --runroot $work/run"
container=$($buildah from scratch)
$buildah add --quiet "$container" "$root" / >/dev/null
# What the server writes to disk: the embedded demo calendar, and images where UPLOADS_DIR names the second.
mkdir "$work/empty"
for folder in data uploads; do
  $buildah add --quiet --chown 1000:1000 "$container" "$work/empty" "/app/$folder" >/dev/null
done
$buildah config --user 1000:1000 --workingdir /app --port 3000 \
  --env NODE_ENV=production --env HOST=0.0.0.0 --env PATH=/usr/local/bin:/usr/bin:/bin \
  --cmd '["node", "--max-semi-space-size=12", "--v8-pool-size=1", "dist/main.js"]' \
  --healthcheck 'CMD node scripts/health-check.mjs' --healthcheck-interval 15s --healthcheck-timeout 6s \
  --healthcheck-start-period 20s "$container"
rm -f "$archive"
# Docker's format, as OCI's has no health check.
$buildah commit --quiet --format docker "$container" "docker-archive:$archive:almanac:latest" >/dev/null
du -sh "$root" "$archive"
