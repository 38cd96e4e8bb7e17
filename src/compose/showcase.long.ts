import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { type CommandOutput, runCommand } from '../../test/support/cli/run-command.ts'
import { renderCommand } from '../cli/commands/render.ts'
import { testCommand } from '../cli/commands/test.ts'
import { FAULT_CATALOGUE } from '../scenario/faults/catalogue.ts'
import { AXES } from '../scenario/variants/axes.ts'
import { openDesktop } from '../testing.ts'
import { loadScenario } from './preview.ts'

// The commands of docs/variants.md and docs/faults.md show each axis and each fault on the scenario `showcase`. Rules such as
// [VAR2] are stated in scenario/variants/README.md and scenario/faults/README.md.

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'backlot-showcase-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Shown extends CommandOutput {
  readonly png: string
}

/** Runs `backlot render` or `backlot test` with the arguments of a page, and with those without its option. */
async function runShown(line: string, option: RegExp): Promise<readonly [shown: Shown, plain: Shown]> {
  const run = async (text: string): Promise<Shown> => {
    const [name, ...args] = text.split(' ')
    if (name === 'test') return { ...(await runCommand(testCommand(), args)), png: '' }
    if (args.includes('--prose')) return { ...(await runCommand(renderCommand(), args)), png: '' }
    const out = join(folder, 'shown.png')
    const output = await runCommand(renderCommand(), [...args, '-o', out])
    return { ...output, png: readFileSync(out).toString('base64') }
  }
  const plain = line.replace(option, '')
  expect(plain).not.toBe(line)
  return [await run(line), await run(plain)]
}

describe('[VAR8] docs/variants.md has a command that shows', () => {
  const commands = page('variants.md').matchAll(/^npx backlot (.* showcase --variant (\w+)=(\S+).*)$/gm)
  const byAxis = new Map([...commands].map(([, line, axis, value]) => [axis!, { line: line!, value: value! }]))

  it('each axis', () => {
    expect([...byAxis.keys()]).toEqual(AXES.map(({ name }) => name))
  })

  it.each(shareOf([...byAxis]))('%s', async (axis, { line, value }) => {
    if (line.startsWith('serve')) {
      const served = async (variant: Record<string, string>) => {
        const { task } = await loadScenario('showcase', { variant })
        const { monitors } = await openDesktop({ scenario: 'showcase', variant }).call('get_monitors')
        return { task, monitors: monitors.length }
      }
      const plain = await served({})
      expect(plain.monitors).toBe(1)
      expect(await served({ [axis]: value })).not.toEqual(plain)
      return
    }
    const [shown, plain] = await runShown(line, / --variant \S+/)
    expect(shown.stderr).not.toContain('warning')
    expect([shown.stdout, shown.png]).not.toEqual([plain.stdout, plain.png])
  })
})

describe('[FT24] docs/faults.md has a command that shows', () => {
  const sections = page('faults.md').split(/^## /m)
  const commandOf = (id: string) =>
    /^See it with `backlot (.*)`\.$/m.exec(sections.find((section) => section.startsWith(`${id}\n`)) ?? '')?.[1]

  it.each(shareOf(FAULT_CATALOGUE.map(({ id }) => id)))('%s', async (id) => {
    const line = commandOf(id)
    expect(line).toContain(` showcase --faults ${id}`)
    const [shown, plain] = await runShown(line!, / --faults \S+/)
    expect([shown.stdout, shown.png]).not.toEqual([plain.stdout, plain.png])
    expect(shown.stderr + shown.stdout).toMatch(new RegExp(`faults: ${id} at step \\d+ \\(\\d+ ms\\)`))
    expect(plain.stderr + plain.stdout).not.toContain('faults:')
    expect(plain.code).toBe(0)
  })
})
