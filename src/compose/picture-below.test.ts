import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, describe, expect, it } from 'vitest'
import { openScenarioFor } from '../observer/scenario-source.ts'
import { diskFolder } from '../stores/disk.ts'
import { openDesktop } from '../testing.ts'
import { pictureBelow } from './files-below.ts'
import { validateScenario } from './preview.ts'

const outside = mkdtempSync(join(tmpdir(), 'backlot-picture-'))
const folder = join(outside, 'scenarios')
mkdirSync(join(folder, 'pictures'), { recursive: true })
const png = PNG.sync.write(new PNG({ width: 3, height: 2 }))
writeFileSync(join(outside, 'secret.png'), png)
writeFileSync(join(folder, 'pictures/map.png'), png)
writeFileSync(join(folder, 'pictures/note.png'), 'not a picture')
symlinkSync(join(outside, 'secret.png'), join(folder, 'link.png'))
const scenario = (src: string) =>
  `states: {s: {windows: [{uid: w, tree: {role: Window, children: [{role: Image, name: Map, src: ${src}}]}}]}}`
writeFileSync(join(folder, 'main.yaml'), scenario('pictures/map.png'))
writeFileSync(join(folder, 'drawn.yaml'), `params: {file: {pick: [map]}}\n${scenario('"pictures/{{ file }}.png"')}`)
writeFileSync(join(folder, 'wrong.yaml'), scenario('link.png'))
afterAll(() => rmSync(outside, { recursive: true }))

const main = join(folder, 'main.yaml')

describe('pictures beside a scenario file', () => {
  it('[SC19] are read in its folder and below it', async () => {
    expect(pictureBelow(main)('pictures/map.png')).toMatchObject({ width: 3, height: 2, format: 'png' })
    const desktop = openDesktop({ scenario: main })
    await expect(desktop.call('find_element', { selector: 'Image "Map"' })).resolves.toMatchObject({ ok: true })
    expect((await validateScenario(main)).text).toContain('ok (')
  })

  it('[SC19] are read once', () => {
    const read: string[] = []
    const picture = pictureBelow(main, (path) => read.push(path))
    expect(picture('pictures/map.png')).toBe(picture('pictures/map.png'))
    expect(read).toEqual([join(folder, 'pictures/map.png')])
  })

  it('[SC19] are read below the folders that a server may read', async () => {
    const served = diskFolder([folder])
    for (const name of ['main', 'drawn'])
      expect([...(await openScenarioFor(served, name)).pictures.keys()]).toEqual(['pictures/map.png'])
    await expect(openScenarioFor(served, 'wrong')).rejects.toThrow('"link.png" cannot be shown')
  })

  it.each([
    ['link.png', 'is outside the folder of the scenario'],
    ['none.png', 'cannot be read: ENOENT'],
    ['pictures', 'is not a file'],
    ['pictures/note.png', 'cannot be read as a PNG file'],
  ])('[SC20] that cannot be shown are reported: %s', (path, why) => {
    expect(pictureBelow(main)(path)).toEqual({ message: expect.stringContaining(why) })
  })
})
