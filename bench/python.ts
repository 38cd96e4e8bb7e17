import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGE } from '../src/compose/package.ts'
import { fromPixels } from '../src/paint/picture.ts'
import { comparePictures } from '../src/paint/picture-similarity.ts'
import { QUICK } from './harness/limits.ts'
import { measure, ms, type ReportLine } from './harness/measure.ts'

const CLIENT = join(PACKAGE, 'clients/python')
const SECONDS = QUICK ? '1' : '3'
const WIDTH = 1280
const HEIGHT = 800

/**
 * Measures the Python client beside Node, environments of Gymnasium beside one that does nothing, and the similarity of two
 * pictures beside scikit-image. Installs the packages of requirements-bench.txt once.
 */
export async function benchPython(): Promise<readonly ReportLine[]> {
  const python = await pythonWith('requirements-bench.txt', 'requirements.txt')
  const printed = runPython(python, ['bench.py', SECONDS, '--json'])
  const rows = printed.split('\n').filter((line) => line.startsWith('{'))
  return [...rows.map((row) => JSON.parse(row) as ReportLine), ...(await similarity(python))]
}

async function pythonWith(...requirements: readonly string[]): Promise<string> {
  const { environmentOf } = (await import(join(PACKAGE, '.ci/python-environment.mjs'))) as {
    environmentOf(files: readonly string[]): string
  }
  return environmentOf(requirements.map((name) => join(CLIENT, name)))
}

function runPython(python: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(python, args, {
    cwd: CLIENT,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: join(CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr.slice(-2000)}`)
  return stdout
}

const STRUCTURAL = `
import json, sys, time
import numpy as np
from skimage.metrics import structural_similarity
one, other = (np.fromfile(path, np.uint8).reshape(${HEIGHT}, ${WIDTH}, 4)[..., :3] for path in sys.argv[1:])
def luminance(picture):
    return picture @ np.array([0.299, 0.587, 0.114])
def each():
    began = time.process_time()
    first, second = luminance(one), luminance(other)
    structural_similarity(first, second, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)
    return (time.process_time() - began) * 1000
print(json.dumps({"ms": sorted(each() for _ in range(5))[2]}))
`

/** The similarity of two pictures that differ everywhere, by Wang’s index with a window of Gauss, as scikit-image computes it. */
async function similarity(python: string): Promise<readonly ReportLine[]> {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (at * 7 + (at >> 9) * 31) & 255,
  )
  const noisy = pixels.map((byte, at) => (at % 4 === 3 ? byte : (byte + 9 * (1 + (at % 7))) & 255))
  const [plain, other] = [pixels, noisy].map((bytes) => fromPixels(WIDTH, HEIGHT, Buffer.from(bytes)))
  const [ours] = await measure([{ name: 'ours', times: 3, run: () => comparePictures(plain!, other!) }])
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  try {
    const files = [pixels, noisy].map((bytes, at) => {
      const file = join(folder, `${at}.rgba`)
      writeFileSync(file, bytes)
      return file
    })
    const theirs = (JSON.parse(runPython(python, ['-c', STRUCTURAL, ...files])) as { ms: number }).ms
    return [
      { what: 'similarity of two pictures that differ everywhere', measured: ms(ours!.cpuMs) },
      { what: 'structural_similarity of scikit-image on the same', measured: ms(theirs) },
      { what: 'scikit-image beside ours', measured: `${(theirs / ours!.cpuMs).toFixed(2)}×` },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
