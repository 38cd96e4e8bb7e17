import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createTestbed } from './testbed.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-watch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reloads a scenario when its file or an included file is saved, and keeps it when the text is invalid', async () => {
  const file = join(folder, 'own.yaml')
  const part = join(folder, 'part.yaml')
  const save = (path: string, text: string) => {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
  const scenario = (title: string) =>
    `name: ${title}\ninclude: part.yaml\nstates: {a: {windows: [{uid: w, title: "${title} {{ n }}"}]}}\n`
  save(file, scenario('first'))
  save(part, 'params: {n: 1}\n')
  const waiting: ((line: string) => void)[] = []
  const nextLine = () => new Promise<string>((resolve) => waiting.push(resolve))
  await using testbed = await createTestbed({ scenario: file, watch: (line) => waiting.shift()?.(line) })
  const title = async () => (await testbed.session.computer.windows())[0]!.title
  expect(await title()).toBe('first 1')

  let line = nextLine()
  save(file, scenario('second'))
  expect(await line).toBe('reloaded second')
  expect(await title()).toBe('second 1')

  line = nextLine()
  save(part, 'params: {n: 22}\n')
  expect(await line).toBe('reloaded second')
  expect(await title()).toBe('second 22')

  line = nextLine()
  save(file, scenario('third').replace('title:', 'titel:'))
  expect(await line).toMatch(
    /^the scenario was not reloaded:\n\S+own\.yaml:3:\d+: .*unknown key "titel"; did you mean "title"\?/,
  )
  expect(await title()).toBe('second 22')
})
