import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'

// Rules such as [DS1] are stated in README.md beside this file.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'backlot-dataset-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function start(out: string, ...more: readonly string[]) {
  const args = ['dataset', 'login', 'settings', '--count', '110', '--out', out, ...more]
  const child = spawn(process.execPath, [BUNDLED_PROGRAM, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, said })),
  )
  return { child, ended }
}

const filesOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(folder, path)).toString('base64')]),
  )

/** Resolves when a shard is complete. */
async function firstShard(out: string): Promise<void> {
  while (!['000000', '000001'].some((shard) => existsSync(join(out, '.parts', `${shard}.json`))))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

it('[DS1] [DS27] writes the same bytes with three workers, after a kill and after Ctrl-C', {
  timeout: 240_000,
}, async () => {
  const [alone, shared, killed, stopped] = ['alone', 'shared', 'killed', 'stopped'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]
  expect((await start(alone, '--workers', '1').ended).said).toContain(`${alone}: 110 pictures, `)
  const whole = filesOf(alone)
  // Pictures, shards, instructions, manifest, hashes, and three other formats.
  expect(whole.size).toBe(110 + 3 + 3 + 3)
  expect((await start(shared, '--workers', '3').ended).code).toBe(0)
  expect(filesOf(shared)).toEqual(whole)

  const kill = start(killed, '--workers', '2')
  await firstShard(killed)
  kill.child.kill('SIGKILL')
  await kill.ended
  expect((await start(killed, '--workers', '2').ended).code).toBe(0)
  expect(filesOf(killed)).toEqual(whole)

  const stop = start(stopped, '--workers', '2')
  await firstShard(stopped)
  stop.child.kill('SIGINT')
  expect(await stop.ended).toEqual({ code: 130, said: expect.stringContaining('the same command continues') })
  const rest = await start(stopped).ended
  expect(rest).toMatchObject({ code: 0, said: expect.stringContaining('continues: ') })
  expect(filesOf(stopped)).toEqual(whole)
  expect((await start(stopped).ended).said).toContain('is complete already: 110 pictures, every file as it was written')
})

it('[DS28] reports a wrong folder, scenario and axis as errors of the user', { timeout: 60_000 }, async () => {
  const unknown = await start(join(root, 'none'), 'logni').ended
  expect(unknown).toMatchObject({ code: 2, said: expect.stringContaining('did you mean "login"') })
  const axis = await start(join(root, 'none'), '--variants', 'thme').ended
  expect(axis).toMatchObject({ code: 2, said: expect.stringContaining('did you mean "theme"') })
  const style = await start(join(root, 'none'), '--style', 'winodws').ended
  expect(style).toMatchObject({
    code: 2,
    said: expect.stringContaining('Allowed choices are backlot, windows, macos, gnome'),
  })
  const value = await start(join(root, 'none'), '--variant', 'scale=9').ended
  expect(value).toMatchObject({ code: 2, said: expect.stringContaining('scale=9: expected a number from 0.75 to 2') })
  const look = await start(join(root, 'alone'), '--style', 'gnome').ended
  expect(look).toMatchObject({ code: 2, said: expect.stringContaining('its variant is {}, not {"style":"gnome"}') })
  const other = await start(join(root, 'alone'), '--seed', '9').ended
  expect(other).toMatchObject({ code: 2, said: expect.stringContaining('its seed is 1, not 9') })
})
