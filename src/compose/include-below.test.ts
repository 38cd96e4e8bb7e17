import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDriver, openDesktop } from '../testing.ts'
import { applicationNames, includeForText } from './applications.ts'
import { includeBelow } from './files-below.ts'
import { validateScenario } from './preview.ts'
import { createTestbed } from './testbed.ts'

const outside = mkdtempSync(join(tmpdir(), 'backlot-include-'))
const folder = join(outside, 'scenarios')
mkdirSync(join(folder, 'parts'), { recursive: true })
writeFileSync(join(outside, 'secret.yaml'), 'components: {}')
writeFileSync(
  join(folder, 'parts', 'label.yaml'),
  'components: {label: {params: {text: text}, element: {role: Text, name: "{{ text }}"}}}',
)
writeFileSync(join(folder, 'parts', 'all.yaml'), 'include: label.yaml')
writeFileSync(
  join(folder, 'main.yaml'),
  'include: parts/all.yaml\nstates: {s: {windows: [{uid: w, tree: {role: Window, children: [{use: label, with: {text: Hello}}]}}]}}',
)
symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'))
afterAll(() => rmSync(outside, { recursive: true }))

describe('a scenario file with includes', () => {
  it('[EXP35] reads files in its folder and below it', async () => {
    const desktop = openDesktop({ scenario: join(folder, 'main.yaml') })
    await expect(desktop.call('find_element', { selector: 'Text "Hello"' })).resolves.toMatchObject({ ok: true })
    expect((await validateScenario(join(folder, 'main.yaml'))).text).toContain('ok (')
  })

  it.each(['../secret.yaml', 'link.yaml', 'parts/../../secret.yaml'])('[EXP35] does not read %s', (path) => {
    expect(includeBelow(join(folder, 'main.yaml'))(path, 'main.yaml')).toEqual({
      message: `${JSON.stringify(path)} is outside the folder of the scenario`,
    })
  })

  it('[EXP35] reports a file that is not there', () => {
    expect(includeBelow(join(folder, 'main.yaml'))('none.yaml', 'main.yaml')).toEqual({
      message: '"none.yaml" cannot be read: ENOENT',
    })
  })
})

const WITH_CONTACTS = 'name: a\ninclude: apps/contacts\nstates: {s: {windows: [{use: contacts-window}]}}'
const opensContacts = (scenario: string) =>
  openDesktop({ scenario }).call('find_element', { selector: 'Window "Contacts"' })

describe('an application', () => {
  it('[EXP36] is included by a scenario that was given as text', async () => {
    await expect(opensContacts(WITH_CONTACTS)).resolves.toMatchObject({ ok: true })
  })

  it('[EXP36] is included by a file in any folder, where it reads no file beside the scenario', async () => {
    writeFileSync(join(folder, 'book.yaml'), WITH_CONTACTS)
    writeFileSync(join(folder, 'data.yaml'), 'no: section')
    await expect(opensContacts(join(folder, 'book.yaml'))).resolves.toMatchObject({ ok: true })
  })

  it('[EXP36] is included by scenarios that callers send or name', async () => {
    writeFileSync(join(folder, 'named.yaml'), WITH_CONTACTS)
    await using testbed = await createTestbed({ scenario: 'form', config: { roots: [folder] } })
    for (const given of [{ yaml: WITH_CONTACTS }, { path: 'named.yaml' }])
      await expect(createDriver(testbed.session).call('load_scenario', given)).resolves.toMatchObject({ ok: true })
  })

  it.each([
    ['apps/contcts', 'there is no application "apps/contcts"; did you mean "contacts"?'],
    ['apps/spaceship', `there is no application "apps/spaceship"; there are ${applicationNames().join(', ')}`],
  ])('[EXP37] %s does not exist', (path, message) => {
    expect(includeForText(path, 'scenario')).toEqual({ message })
  })

  it('[EXP36] has no file outside of its folder', () => {
    expect(includeForText('../../login.yaml', 'backlot:apps/contacts/app.yaml')).toEqual({
      message: '"../../login.yaml" is outside the application "apps/contacts"',
    })
  })
})
