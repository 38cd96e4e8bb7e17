// Links the program of this checkout as node_modules/.bin/backlot, which npm does for installed packages only, so that
// `npx backlot` is the same command here. `npm install` and `npm ci` run it as the script `dependencies`, which
// npm runs in a checkout only: `prepare` made it warn of an install script in the package.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')

/** Runs the sources, so that no build is needed. */
const PROGRAM = `#!/usr/bin/env node
import { register } from 'tsx/esm/api'

register()
await import('../../src/cli/main.ts')
`

// Without development dependencies there is no tsx to run the sources with.
if (existsSync(join(root, 'node_modules', 'tsx'))) {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'backlot.mjs'), PROGRAM)
  writeFileSync(join(bin, 'backlot'), '#!/bin/sh\nexec node "$(dirname "$0")/backlot.mjs" "$@"\n')
  writeFileSync(join(bin, 'backlot.cmd'), '@node "%~dp0backlot.mjs" %*\r\n')
  for (const name of ['backlot', 'backlot.mjs']) chmodSync(join(bin, name), 0o755)
}
