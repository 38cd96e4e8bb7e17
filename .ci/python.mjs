// Tests the Python package in virtual environments with pinned versions, which it creates below ~/.cache/backlot/python when they
// change: lint, types beside tests. With --set-up it only creates the environment. With --heavy it also runs what takes minutes or large
// packages, in environments of their own. Other arguments go to pytest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOf, run } from './python-environment.mjs'

const CLIENT = fileURLToPath(new URL('../clients/python', import.meta.url))
/** Only its code for machines is tested. Its dependencies are for its tasks: torch, browsers and clients of clouds. */
const OSWORLD = 'desktop-env==1.0.2'
/** Libraries whose packages fit beside none of the others, and the tests that need them. */
const APART = {
  hud: ['clients/python/tests/test_heavy_hud.py', 'clients/python/tests/test_docs.py', '-k', 'hud'],
  trl: ['clients/python/tests/test_heavy_trl.py'],
}

const words = process.argv.slice(2)
const isHeavy = words.includes('--heavy')
const required = (...names) => names.map((name) => join(CLIENT, name))
const inside = isHeavy
  ? environmentOf(required('requirements-heavy.txt', 'requirements.txt'), OSWORLD)
  : environmentOf(required('requirements.txt'))
const apart = Object.entries(isHeavy ? APART : {}).map(([name, tests]) => ({
  program: environmentOf(required(`requirements-${name}.txt`)),
  tests,
}))
if (!words.includes('--set-up')) {
  const test = (python, args, cwd) => run(python, ['-m', ...args], { cwd, env: environment() })
  test(inside, ['ruff', 'check', '.'], CLIENT)
  test(inside, ['ruff', 'format', '--check', '.'], CLIENT)
  // It uses one core, as the build and the tests do.
  const types = spawn(inside, ['-m', 'mypy'], { cwd: CLIENT, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  const typesEnded = once(types, 'close')
  process.once('exit', () => types.kill())
  // The tests start the program as it is published.
  run(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url)), '--without-types'])
  const root = join(CLIENT, '../..')
  test(inside, ['pytest', 'clients/python', ...words], root)
  for (const { program, tests } of apart) test(program, ['pytest', ...tests, '--heavy'], root)
  types.stdout.pipe(process.stdout)
  const [code] = await typesEnded
  process.exitCode = code ?? 1
}

/** Workers of Ray import the tests too, to call their functions. */
function environment() {
  const folders = [join(CLIENT, 'src'), CLIENT].join(delimiter)
  return { ...process.env, PYTHONPATH: folders, PYTHONDONTWRITEBYTECODE: '1' }
}
