import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../test/support/cli/run-command.ts'
import { replayCommand } from '../cli/commands/replay.ts'
import { readRun } from './read-run.ts'
import { readTraceFiles } from './read-trace.ts'
import { verifyTrace } from './verify-trace.ts'

// Files that are not what they seem to be. Rules such as [RC21] are stated in README.md.

const HEADER = { type: 'header', label: 'x', scenario: 'login', seed: 1 }
const ROW = { trace_seq: 1, tool: 'list_windows', args: {}, result_summary: {} }
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The path of a file with these contents. */
function written(name: string, contents: string | Uint8Array): string {
  const path = join(newFolder(), name)
  writeFileSync(path, contents)
  return path
}

const zipped = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))

/** Both commands refuse a path with the same `BadRequest`. */
async function expectRefused(path: string, message: RegExp): Promise<void> {
  const refusal = { code: 'BadRequest', message: expect.stringMatching(message) }
  await expect(verifyTrace(path)).rejects.toMatchObject(refusal)
  await expect(readRun(path)).rejects.toMatchObject(refusal)
}

describe('[RC21] hostile traces', () => {
  it('refuses lines that are too long, and rows that are nested too deep', async () => {
    const long = `${lines(HEADER)}{"trace_seq":1,"tool":"type_text","args":{"text":"${'x'.repeat(17 * 1024 * 1024)}"}}\n`
    await expectRefused(
      written('trace.jsonl', long),
      /^line 2 of ".*trace\.jsonl" has 178\d+ characters; at most 16777216/,
    )
    const nested = `${lines(HEADER)}{"trace_seq":1,"tool":"x","args":${deep(100_000)}}\n`
    await expectRefused(written('trace.jsonl', nested), /^line 2 of .* is nested too deep$/)
  })

  it('refuses truncated archives, and entries that unpack to too much', async () => {
    const archive = zipped({ 'trace.jsonl': lines(HEADER, ROW) })
    await expectRefused(written('a.zip', archive.subarray(0, 80)), /cannot be read as a zip archive/)
    const bomb = Buffer.from(zipped({ 'trace.jsonl': lines(HEADER), 'model.jsonl': '{}' }))
    // The sizes in the directory at the end of the archive.
    for (const name of ['trace.jsonl', 'model.jsonl']) bomb.writeUInt32LE(400_000_000, bomb.lastIndexOf(name) - 46 + 24)
    const path = written('bomb.zip', bomb)
    await expectRefused(path, /bomb\.zip: trace\.jsonl unpacks to 400000000 bytes; at most 268435456 are read/)
    // A file beside the trace is unpacked only when it is read.
    bomb.writeUInt32LE(lines(HEADER).length, bomb.lastIndexOf('trace.jsonl') - 46 + 24)
    const files = readTraceFiles(written('beside.zip', bomb))
    expect(files.text).toBe(lines(HEADER))
    expect(() => files.read('model.jsonl')).toThrow(/model\.jsonl unpacks to 400000000 bytes/)
  })

  it('reads no names that lead out of an archive', async () => {
    const outside = { '../trace.jsonl': lines(HEADER), '/trace.jsonl': lines(HEADER) }
    await expectRefused(written('a.zip', zipped(outside)), /has no trace\.jsonl$/)
    const files = readTraceFiles(written('b.zip', zipped({ 'trace.jsonl': lines(HEADER), '../secret': 'x' })))
    expect(files.read('../secret')).toBeUndefined()
  })

  it('follows no links out of a folder, and reads neither pipes nor devices', async () => {
    const folder = newFolder()
    const secret = written('secret.png', 'secret')
    mkdirSync(join(folder, 'screenshots'))
    writeFileSync(join(folder, 'trace.jsonl'), lines(HEADER))
    writeFileSync(join(folder, 'own.png'), 'own')
    symlinkSync(secret, join(folder, 'screenshots/a.png'))
    symlinkSync('/dev/zero', join(folder, 'screenshots/b.png'))
    symlinkSync('../own.png', join(folder, 'screenshots/c.png'))
    const files = readTraceFiles(folder)
    const read = ['a', 'b', 'c'].map((name) => files.read(`screenshots/${name}.png`)?.toString())
    expect(read).toEqual([undefined, undefined, 'own'])
    const pipe = join(folder, 'pipe.jsonl')
    execFileSync('mkfifo', [pipe])
    await expectRefused(pipe, /pipe\.jsonl is not a file$/)
    const device = newFolder()
    symlinkSync('/dev/zero', join(device, 'trace.jsonl'))
    await expectRefused(device, /trace\.jsonl is not a file$/)
  })

  it('opens no file that a header names as its scenario', async () => {
    const outside = written('trace.jsonl', lines({ ...HEADER, scenario: '../../../../etc/passwd' }, ROW))
    const message =
      'the trace is of the scenario "../../../../etc/passwd", which is not in the gallery; name its file with --scenario'
    await expect(verifyTrace(outside)).rejects.toMatchObject({ code: 'BadRequest', message })
    const unknown = written('trace.jsonl', lines({ ...HEADER, scenario: 'gone' }, ROW))
    await expect(verifyTrace(unknown)).rejects.toThrow(/scenario "gone", which is not in the gallery/)
    for (const path of [outside, unknown]) {
      const { recording } = await readRun(path)
      expect(recording.warnings).toEqual([
        expect.stringMatching(/^the trace has no footer: /),
        expect.stringMatching(/cannot be opened; name its file with --scenario$/),
      ])
      expect(recording.steps).toHaveLength(1)
    }
  })

  it('names another version where the results differ', async () => {
    const path = written('trace.jsonl', lines({ ...HEADER, tool_version: '99.0.0' }, { ...ROW, tool: 'teleport' }))
    const note = expect.stringMatching(/^version 99\.0\.0 recorded the trace, and this is version \d/)
    const unended = expect.stringMatching(/^the trace has no footer: /)
    const divergences = [expect.objectContaining({ step: 1 })]
    expect(await verifyTrace(path)).toEqual({ calls: 1, divergences, note, unended })
    const { recording } = await readRun(path)
    expect(recording.warnings).toEqual([
      unended,
      expect.stringMatching(/at step 1, teleport: .*; version 99\.0\.0 recorded the trace/),
    ])
  })

  it('shows and replays a trace without calls', async () => {
    const path = written('trace.jsonl', `"header" garbage\n${lines(HEADER)}`)
    const { recording } = await readRun(path)
    expect([recording.steps.length, recording.moments.length]).toEqual([0, 1])
    const { stdout, code } = await runCommand(replayCommand(), [path])
    expect([stdout, code]).toEqual(['the trace has no calls\n', 0])
  })

  it('[RC15] [RC16] exits with 1 for a trace that lacks calls, and remarks on one without a footer', async () => {
    const call = { ...ROW, tool: 'list_windows', args: {}, result_summary: { ok: true, count: 1 } }
    const played = async (...rows: readonly object[]) => {
      const { stdout, stderr, code } = await runCommand(replayCommand(), [
        written('trace.jsonl', lines(HEADER, ...rows)),
      ])
      return [stdout, stderr, code]
    }
    expect(await played(call)).toEqual([
      '1 call: the same results\n',
      'note: the trace has no footer: it was not stopped, or its end is lost, so that calls after the last one may be missing\n',
      0,
    ])
    expect(await played(call, { type: 'footer', step_count: 1 })).toEqual(['1 call: the same results\n', '', 0])
    expect(await played(call, { type: 'footer', step_count: 3 })).toEqual([
      '1 call: the same results\n',
      'warning: 2 of 3 recorded calls are missing in the trace, so that what is shown and compared is not the whole run\n',
      1,
    ])
  })

  it('reads odd values of other programs', async () => {
    const atif = { schema_version: 'ATIF-v1.4', steps: [{ source: 'agent', tool_calls: [{ arguments: 1 }] }] }
    const step = { ...atif.steps[0], observation: { results: [{ content: deep(100_000) }] } }
    const { recording } = await readRun(written('a.json', JSON.stringify({ ...atif, steps: [step] })))
    expect(recording.steps).toHaveLength(1)
    const tooDeep = `{"schema_version":"ATIF-v1.4","steps":${deep(100_000)}}`
    await expect(readRun(written('b.json', tooDeep))).rejects.toThrow(/is nested too deep/)
    const traj = written('traj.jsonl', lines({ action: { tool: { toString: 1 } }, action_timestamp: { toString: 1 } }))
    const { recording: osworld } = await readRun(join(traj, '..'))
    expect(osworld.steps.map(({ tool }) => tool)).toEqual(['{"toString":1}'])
  })
})
