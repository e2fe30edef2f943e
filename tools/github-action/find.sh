#!/usr/bin/env bash
# First step of the GitHub Action: prints where the tool is to be installed, and the key under which the installation is cached. The key
# has the contents of the Action, because a branch or tag can move, and the version of Node, because compiled code depends on it.
set -euo pipefail
if ! node -e "const [major, minor] = process.versions.node.split('.'); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)"; then
  echo "::error title=xds-inspect::Node 20.19 or newer is required. Set the input node-version, or use actions/setup-node before."
  exit 1
fi
cd "$GITHUB_ACTION_PATH"
list=$(find . \( -name node_modules -o -name .git -o -path ./dist -o -path ./src/proto/generated \) -prune -o -type f ! -name '*.tgz' -print | LC_ALL=C sort)
contents=$({ echo "$list"; git hash-object --no-filters --stdin-paths <<<"$list"; } | git hash-object --stdin)
key="xds-inspect-$(node -p "[process.platform, process.arch, process.version].join('-')")-${contents}"
{
  echo "key=$key"
  echo "folder=$RUNNER_TEMP/$key"
} >>"$GITHUB_OUTPUT"
