// Checks the computer tools against the SDKs of their vendors, which are too large for everybody's installation: installs
// them, compiles a program that uses both, and runs it. Needs a registry.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = 'fixtures/vendor-types'
const run = (program, ...args) => execFileSync(program, args, { cwd: ROOT, stdio: 'inherit' })

const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error']
run('npm', 'ci', '--prefix', FOLDER, ...quietly)
run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', FOLDER)
run(process.execPath, '--import', 'tsx', `${FOLDER}/check.ts`)
