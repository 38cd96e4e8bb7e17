// Builds the package into dist: the bundle that it runs from; and beside it, by the compiler, its types and modules, with the
// files they read.
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { extname } from 'node:path'
import { bundle } from './bundle.mjs'

process.chdir(new URL('..', import.meta.url).pathname)
rmSync('dist', { recursive: true, force: true })
execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
const read = (path) => !['.ts', '.tsx'].includes(extname(path))
for (const folder of ['src', 'conformance']) cpSync(folder, `dist/${folder}`, { recursive: true, filter: read })
await bundle('dist/bundle', (source) => `new URL(${JSON.stringify(`../${source}`)}, HERE).href`)
