import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLargeBoxes, expectLikeReference } from '../../../test/support/linux/bounding-boxes.ts'
import { openChromium, openFirefox } from '../../../test/support/linux/programs.ts'
import { fixturePath, type LinuxTestDesktop, startTestDesktop } from '../../../test/support/linux/test-desktop.ts'
import { walk } from '../../desktop/model/element.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'

let testDesktop: LinuxTestDesktop

beforeAll(async () => {
  testDesktop = await startTestDesktop({ width: 1280, height: 900 })
})
afterEach(() => testDesktop.endPrograms())
afterAll(() => testDesktop?.close())

const page = `file://${fixturePath('page.html')}`
const BROWSERS = {
  Firefox: { open: openFirefox, title: /Demo page.*Firefox/, part: 'Demo page —', boxes: 'same' },
  Chromium: { open: openChromium, title: /Demo page - Chromium/, part: 'Demo page -', boxes: 'size' },
} as const

describe.each(['Firefox', 'Chromium'] as const)('%s', (name) => {
  it('[LX68] [LX69] [LX70] has the tree of a page as a person reads it', async () => {
    const { open, title, part, boxes } = BROWSERS[name]
    const browser = await open(testDesktop, title, page)
    await browser.element('Heading "Welcome"')
    await expectLikeReference(testDesktop, name.toLowerCase(), browser, part, boxes)
    const tree = await browser.tree()
    await browser.waitForText('Plain div text')
    const roles = new Set([...walk(tree)].map(({ role }) => role))
    expect([...roles]).toEqual(expect.arrayContaining(['Heading', 'DataItem', 'Cell', 'Link']))
    expect((await browser.element('Edit "Name"')).value).toBe('Ada')
    expect(await browser.element('ComboBox "Colour"')).toMatchObject({ expanded: false, value: 'Red' })
    expect((await browser.element('CheckBox "Agree"')).selected).toBe(true)
    expect((await browser.element('Slider "Level"')).valueNow).toBe(20)
    expect((await browser.element('PasswordEdit')).traits?.secret).toBe(true)
    expect([...walk(tree)].some(({ value }) => value === 'line one\nline two')).toBe(true)
    expect(querySelectorAll(tree, 'Window').length).toBe(1)
  })
})

describe('a browser that measures in larger pixels', () => {
  it.each([
    ['Firefox', { settings: ['GDK_SCALE=2'] }],
    ['Chromium', { args: ['--force-device-scale-factor=2'] }],
    ['Chromium', { args: ['--force-device-scale-factor=1.5'] }],
  ] as const)(
    '[LX73] [LX74] [LX5] has its boxes in the picture: %s with %j',
    { timeout: 120_000 },
    async (name, how) => {
      const { open, title } = BROWSERS[name]
      const browser = await open(testDesktop, title, page, how)
      const file = [name.toLowerCase(), ...Object.values(how).flat()].join('-')
      await expectLargeBoxes(testDesktop, file, browser, ['Heading "Welcome"', 'Edit "Name"'])
    },
  )
})
