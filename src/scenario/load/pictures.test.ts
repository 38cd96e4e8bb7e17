import { describe, expect, it } from 'vitest'
import { appScenario } from '../../../test/support/scenario/problems.ts'
import { Fault } from '../../base/fault.ts'
import type { PictureFile } from '../../desktop/model/pictures.ts'
import { startScenario, stepScenario } from '../run/step.ts'
import { scenarioHash } from '../seeds.ts'
import { checkScenario, parseScenario } from './load.ts'
import type { ReadPicture } from './pictures.ts'

// Rules such as [SC19] are stated in SPEC.md beside this folder.

const file = (data: string): PictureFile => ({ hash: `of ${data}`, format: 'png', width: 1200, height: 300, data })
const FILES: Readonly<Record<string, PictureFile>> = { 'map.png': file('a'), 'parts/big.png': file('b'.repeat(30e6)) }
const picture: ReadPicture = (path) => FILES[path] ?? { message: `no ${path}` }

const scenario = appScenario(900, 600)

const problems = (text: string, read: ReadPicture | undefined = picture): readonly string[] => {
  try {
    parseScenario(text, { file: 'a.yaml', ...(read && { picture: read }) })
    return []
  } catch (thrown) {
    return Fault.from(thrown)
      .message.split('\n')
      .filter((line) => line.startsWith('a.yaml:'))
  }
}

const imagesIn = (text: string, read = picture) =>
  parseScenario(text, { picture: read }).states.get('only')!.windows[0]!.tree.children

describe('pictures of a scenario', () => {
  it('[SC19] are read once, also for changes and appended elements', () => {
    const paths: string[] = []
    const counted: ReadPicture = (path) => {
      paths.push(path)
      return picture(path)
    }
    const more = `reactions:
  - on: {tool: click_element, target_id: one}
    set: [{id: one, src: map.png}, {id: root, append: [{role: Image, name: New, src: map.png}]}]`
    const [one] = imagesIn(scenario('{id: one, role: Image, name: One, src: map.png}', more), counted)
    expect(one!.traits?.picture).toBe(FILES['map.png'])
    expect(paths).toEqual(['map.png'])
  })

  it('[SC19] are part of the hash of the scenario by their bytes', () => {
    const text = scenario('{role: Image, name: One, src: map.png}')
    const hashWith = (data: string) => scenarioHash(parseScenario(text, { picture: () => file(data) }))
    expect(hashWith('a')).toBe(hashWith('a'))
    expect(hashWith('a')).not.toBe(hashWith('b'))
  })

  it('[SC20] that cannot be shown are errors at their line', () => {
    expect(problems(scenario('{role: Image, name: One, src: none.png}'))).toEqual([
      expect.stringMatching(/^a\.yaml:10:52: .*src: no none\.png/),
    ])
    for (const path of ['/etc/map.png', '../map.png', 'parts/../../map.png', 'https://example.org/map.png'])
      expect(problems(scenario(`{role: Image, name: One, src: "${path}"}`))).toEqual([
        expect.stringContaining('is outside the folder of the scenario; expected a path below it'),
      ])
    expect(problems(scenario('{role: Button, name: One, src: map.png}'))).toEqual([
      expect.stringContaining('only an Image shows a picture, and this is a Button'),
    ])
  })

  it('[SC22] follow the data among those that the scenario names', () => {
    const images = '{role: Image, name: One, src: "{{ file }}"}, {role: Image, name: Two, src: other.png}'
    const files: Readonly<Record<string, PictureFile>> = { 'map.png': file('a'), 'other.png': file('b') }
    const loaded = parseScenario(
      scenario(
        images,
        `vars: {file: map.png}
reactions:
  - {on: {tool: press_key, text_regex: F1}, set: [{var: file, to: other.png}]}
  - {on: {tool: press_key, text_regex: F2}, set: [{var: file, to: none.png}]}`,
      ),
      { picture: (path) => files[path]! },
    )
    const start = startScenario(loaded, { atMs: 0 })
    const press = (run: typeof start, keys: string) =>
      stepScenario(run, { type: 'action', action: { type: 'key', keys } }).run
    const shown = (run: typeof start) => run.desktop.windows[0]!.tree.children[0]!.traits?.picture
    expect(shown(start)).toBe(files['map.png'])
    expect(shown(press(start, 'F1'))).toBe(files['other.png'])
    expect(shown(press(start, 'F2'))).toBe(files['map.png'])
  })

  it('[SC20] of a scenario that was given as text are errors', () => {
    expect(() => parseScenario(scenario('{role: Image, name: One, src: map.png}'))).toThrow(
      'the scenario was given as text, not as a file',
    )
  })

  it('[SC21] are limited together', () => {
    expect(problems(scenario('{role: Image, name: One, src: parts/big.png}'))).toEqual([
      expect.stringContaining('the pictures of a scenario have at most 24000000 bytes in base64'),
    ])
  })

  it('[SC68] need a name', () => {
    const text = scenario('{role: Image, src: map.png}, {role: Image, name: A map, src: map.png}')
    expect(checkScenario(text, { picture }).warnings([])).toEqual([
      expect.objectContaining({ message: expect.stringContaining('the Image shows a picture without a name') }),
    ])
  })

  it('[SC102] have their own proportions', () => {
    const image = (keys: string) => `{role: Image, name: One, src: map.png${keys}}`
    const [plain, wide, high, both] = imagesIn(
      scenario([image(''), image(', width: 200'), image(', height: 60'), image(', width: 50, height: 60')].join(', ')),
    )
    const sizeOf = (each: typeof plain) => [each!.bounds.width, each!.bounds.height]
    expect([plain, wide, high, both].map(sizeOf)).toEqual([
      [640, 160],
      [200, 50],
      [240, 60],
      [50, 60],
    ])
  })
})
