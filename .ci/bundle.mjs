// Puts the sources, and the packages that every start reads, into a few files: reading many small ones takes most of a start.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const ENTRIES = { backlot: 'src/cli/main.ts', index: 'src/index.ts', testing: 'src/testing.ts' }

/** All others have binaries or data beside them, or are seldom asked for. */
const INSIDE = [
  '@fastify/multipart',
  '@modelcontextprotocol/sdk',
  'commander',
  'fast-json-patch',
  'fastify',
  'pixelmatch',
  'pngjs',
  'prom-client',
  'pure-rand',
  're2js',
  'ws',
  'yaml',
  'yoga-layout',
  'zod',
]

/** Fastify asks for them only where routes have schemas of its own (`OWN_SCHEMAS` in src/protocols/app.ts). */
const NEVER_READ = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/** Packages that stay where npm puts them. */
const outside = () =>
  Object.keys({ ...dependencies, ...peerDependencies })
    .filter((name) => !INSIDE.includes(name))
    .concat(NEVER_READ)

/** CommonJS packages ask for modules of Node by this name. */
const REQUIRE = "import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)"

/** Writes the bundle into a folder. `whereIs` gives the expression for where the files beside a source are. */
export async function bundle(folder, whereIs) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: outside(),
    banner: { js: REQUIRE },
    plugins: [
      { name: 'place', setup: (own) => own.onLoad({ filter: OWN }, (file) => placed(file.path, whereIs)) },
      { name: 'yoga', setup: (yoga) => yoga.onLoad({ filter: YOGA }, (file) => withoutFetch(file.path)) },
    ],
    metafile: true,
    logLevel: 'warning',
  })
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), licences(Object.keys(metafile.inputs)))
}

const OWN = /\/(src|conformance)\/[^:]*\.ts$/

/** A source that still finds the files beside it, though it has moved. */
function placed(path, whereIs) {
  const source = readFileSync(path, 'utf8')
  return { loader: 'ts', contents: source.replaceAll('import.meta.url', whereIs(relative(ROOT, path))) }
}

const YOGA = /yoga-wasm-base64-esm\.js$/

/** It would start an HTTP client to decode the bytes that it carries; without one it decodes them itself. */
const withoutFetch = (path) => ({ contents: `const fetch = undefined\n${readFileSync(path, 'utf8')}` })

/** The licences of the packages that files came from. */
function licences(files) {
  const packages = new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))
  return [...packages].sort().map(licence).join('\n')
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each))
  const text = file ? readFileSync(join(ROOT, folder, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n`
}
