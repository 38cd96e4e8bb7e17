import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { includeForText } from '../../src/compose/applications.ts'
import { checkFile } from '../../src/compose/preview.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'

const FOLDER = 'skills/backlot-scenarios'
const WRITTEN = 'fixtures/skill'
const page = readFileSync(join(FOLDER, 'SKILL.md'), 'utf8')

/** What is wrong with a scenario, or its name when nothing is. */
const messageOf = (text: string): string => {
  try {
    return parseScenario(text, { file: 'a.yaml', include: includeForText }).name
  } catch (error) {
    return (error as Error).message
  }
}

const WINDOW = (child: string) =>
  `states: {open: {windows: [{uid: a, title: A, tree: {role: Window, name: A, children: [${child}]}}]}}\n`
const SAVE = '{id: save, role: Button, name: Save}'

/** Scenarios with the mistakes of the page. */
const MISTAKES: Readonly<Record<string, string>> = {
  'a text with {{ … }} stands in quotes': `vars: {n: 1}\n${WINDOW('{role: Text, name: {{ n }}}')}`,
  'unknown key "windws"; did you mean "windows"?': 'states: {open: {windws: []}}\n',
  'no window has an element "sav"': `${WINDOW(SAVE)}reactions: [{on: {tool: click_element, target_id: sav}}]\n`,
  'list already has a meaning in expressions': `vars: {list: []}\n${WINDOW(SAVE)}`,
  'expected RPAREN, got EOF': `vars: {p: [{id: 1, n: 1}]}\ncomputed: {x: p.filter(q, q.n == 1)}\n${WINDOW(SAVE)}`,
}

describe('the skill for scenarios', () => {
  it('has a name and a description, as agents read them', () => {
    const [, name, description] = /^---\nname: (\S+)\ndescription: (.+)\n---\n/.exec(page) ?? []
    expect(name).toBe('backlot-scenarios')
    expect(description!.length).toBeLessThan(1024)
  })

  it('begins with a whole file that proves itself', async () => {
    const [, text = ''] = /```yaml\n(name: guest-list\n[\s\S]*?)```/.exec(page) ?? []
    const scenario = parseScenario(text, { file: 'SKILL.md' })
    expect((await verifyScenario(scenario)).filter(({ passed }) => !passed)).toEqual([])
  })

  it.each(Object.entries(MISTAKES))('quotes the message %s', (message, text) => {
    expect(page).toContain(`\`${message}\``)
    expect(messageOf(text)).toContain(message)
  })

  it.each(shareOf(readdirSync(WRITTEN)))('was enough to write %s', async (file) => {
    const { scenario } = await checkFile(join(WRITTEN, file))
    expect((await verifyScenario(scenario)).filter(({ passed }) => !passed)).toEqual([])
  })

  it('is named by the list for agents, whose links exist', () => {
    const list = readFileSync('docs/llms.txt', 'utf8')
    const links = [...list.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path)
    expect(links).toContain('../skills/backlot-scenarios/SKILL.md')
    expect(links.filter((path) => !existsSync(join('docs', path)))).toEqual([])
  })
})
