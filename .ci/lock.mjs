// Completes package-lock.json: npm leaves out optional packages of other platforms when the registry in use does not
// offer them, and `npm ci` then refuses the lock. Run it after every `npm install` that changes the lock, with the
// folder of the lock unless that is this package's own.
// It then asks the registry for the digests that are missing, without which `npm ci` on those platforms checks nothing. It
// fails, and names the packages, when the registry does not offer them: run it again with another registry then.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL(`../${process.argv[2] ?? '.'}/package-lock.json`, import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const cpus = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

for (const row of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(row.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] !== undefined) continue
    const words = name.split(/[-/]/)
    const os = systems.filter((each) => words.includes(each) || (each === 'darwin' && name === 'fsevents'))
    const cpu = cpus.filter((each) => words.includes(each))
    const musl = words.includes('musl')
    if (os.length === 0 && cpu.length === 0) continue
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[~^]/, ''),
      ...(cpu.length > 0 && { cpu }),
      ...(row.dev && { dev: true }),
      ...(musl && { libc: ['musl'] }),
      optional: true,
      ...(os.length > 0 && { os }),
    }
  }
}
const unverified = []
for (const [place, row] of Object.entries(lock.packages)) {
  if (place === '' || row.link || row.integrity !== undefined) continue
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { stdout } = spawnSync('npm', ['view', `${name}@${row.version}`, 'dist.integrity'], { encoding: 'utf8' })
  const integrity = stdout.trim()
  if (!/^sha512-[\w+/=]+$/.test(integrity)) unverified.push(`${name}@${row.version}`)
  else lock.packages[place] = { version: row.version, integrity, ...row }
}
if (unverified.length > 0) {
  console.error(`without a digest, for this registry does not offer them: ${unverified.join(', ')}`)
  process.exitCode = 1
}

const { '': root, ...rest } = lock.packages
lock.packages = { '': root, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) }
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
