import { describe, expect, it } from 'vitest'
import {
  argumentsIn,
  elementIn,
  faultOf,
  file,
  LETTERS,
  namesIn,
  varied,
  windowIn,
} from '../../../test/support/scenario/letters.ts'
import { walk } from '../../desktop/model/element.ts'
import { parseScenario } from '../load/load.ts'
import type { Scenario } from '../scenario.ts'
import { variantsOf, withSeed, withVariant } from '../seeds.ts'
import { AXES, parseChoices } from './axes.ts'
import type { AuthoredChoices } from './axis.ts'

describe('choices', () => {
  it('[VAR1] without choices it is the value of the file', () => {
    expect(withVariant(file, {})).toBe(file)
    expect(file.variant).toBeUndefined()
    expect(file.projection).toBeUndefined()
  })

  it.each([
    ['theme=drak', 'BadRequest: theme=drak: expected light or dark; did you mean "dark"?'],
    ['them=dark', 'BadRequest: unknown axis "them"; did you mean "theme"?'],
    ['scale=3', 'BadRequest: scale=3: expected a number from 0.75 to 2'],
    ['resolution=big', 'BadRequest: resolution=big: expected WIDTHxHEIGHT, each from 320 to 7680, such as 1920x1080'],
    ['dark', 'BadRequest: "dark" is not AXIS=VALUE, such as theme=dark'],
  ])('[VAR2] explains %s', (choice, message) => {
    expect(faultOf(() => parseChoices([choice]))).toBe(message)
  })

  it('[VAR2] refuses an axis that is chosen twice', () => {
    expect(faultOf(() => parseChoices(['theme=dark', 'theme=light']))).toBe(
      'BadRequest: theme is chosen twice, as dark and as light',
    )
  })

  it('[VAR3] gives the same variant for the same choices and seed', () => {
    const choices = { window_position: 'random', order: 'shuffled', synonyms: 'random' }
    const again = withVariant(parseScenario(LETTERS, { file: 'letters.yaml' }), choices, 5)
    expect(again.states).toEqual(varied(choices, 5).states)
    const [alone, together] = [varied({ order: 'shuffled' }, 5), varied(choices, 5)]
    expect(elementIn(alone, 'list').children.map(({ name }) => name)).toEqual(
      elementIn(together, 'list').children.map(({ name }) => name),
    )
  })

  it('[VAR4] [VAR5] warns of an axis that does not apply, with the reason', () => {
    const scenario = varied({ overlap: 'cascaded', data: 3, locale: 'fr' })
    expect(scenario.variantWarnings).toEqual([
      'data does not apply: the scenario draws no parameters',
      'locale does not apply: locales has no fr; it has de, he',
      'overlap does not apply: The windows are compared side by side.',
    ])
    expect(scenario.states).toEqual(file.states)
  })

  it('[VAR5] reports an unknown axis of invariant', () => {
    expect(
      faultOf(() => parseScenario(LETTERS.replace('{overlap:', '{overlaps:'), { file: 'letters.yaml' })),
    ).toContain('there is no axis "overlaps"; did you mean "overlap"?')
  })

  it('[VAR10] of the style change sizes, and samples do not make any', () => {
    const styled = varied({ style: 'windows' })
    expect(styled.style).toBe('windows')
    expect(varied({ style: 'backlot' }).style).toBeUndefined()
    expect(windowIn(varied({ style: 'backlot' }))).toEqual(windowIn(file))
    expect(namesIn(styled)).toEqual(namesIn(file))
    expect(variantsOf(file, 200).some((choices) => 'style' in choices)).toBe(false)
  })

  it('[VAR6] draws samples from a seed, of what applies', () => {
    const many = variantsOf(file, 60, 4)
    expect(variantsOf(file, 5, 4)).toEqual(many.slice(0, 5))
    expect(variantsOf(file, 5, 5)).not.toEqual(many.slice(0, 5))
    expect(many.every((choices) => Object.keys(choices).length > 0)).toBe(true)
    const axes = new Set(many.flatMap((choices) => Object.keys(choices)))
    expect([...axes].sort()).toEqual(
      AXES.map(({ name }) => name)
        .filter((name) => !['overlap', 'style', 'data', 'wording'].includes(name))
        .sort(),
    )
    for (const choices of many) expect(withVariant(file, choices, 4).variantWarnings).not.toContain('does not apply')
  })

  it('[VAR7] draws the variant of a run from its seed', () => {
    const first = varied({ window_position: 'random' }, 1)
    expect(windowIn(withSeed(first, 2)).bounds).toEqual(windowIn(varied({ window_position: 'random' }, 2)).bounds)
    expect(windowIn(withSeed(first, 2)).bounds).not.toEqual(windowIn(first).bounds)
  })
})

describe('places', () => {
  it('[VAR13] warns of texts that are cut in fixed bounds', () => {
    expect(varied({ text_size: 1.6 }).variantWarnings).toEqual([
      'text_size=1.6: these texts have fixed bounds and are cut: "A long name"',
    ])
  })

  it('[VAR14] keeps windows on a smaller monitor, in their relative place', () => {
    const scenario = varied({ resolution: '1024x768' })
    expect(scenario.monitors[0]!.bounds).toEqual({ x: 0, y: 0, width: 1024, height: 768 })
    expect(windowIn(scenario).bounds).toEqual({ x: 136, y: 110, width: 480, height: 360 })
    expect(scenario.variantWarnings).toEqual([])
  })

  it('[VAR15] makes a window smaller that does not fit, and says so', () => {
    const scenario = varied({ resolution: '400x320' })
    expect(windowIn(scenario).bounds).toMatchObject({ x: 0, width: 400 })
    expect(scenario.variantWarnings).toEqual([
      'resolution=400x320: the window app does not fit and is smaller; its content scrolls',
    ])
  })

  it('[VAR17] moves what is written in the pixels of a window, and its dialogs', () => {
    const scenario = varied({ window_position: 'top-left' })
    expect(windowIn(scenario).bounds).toEqual({ x: 0, y: 32, width: 480, height: 360 })
    expect(windowIn(scenario, 'ask').bounds).toEqual({ x: 40, y: 72, width: 200, height: 120 })
    expect(elementIn(scenario, 'fixed').bounds).toEqual({ x: 360, y: 312, width: 100, height: 28 })
    expect(scenario.reactions[1]!.set).toEqual([{ id: 'fixed', bounds: { x: 100, y: 212, width: 10, height: 10 } }])
    expect(argumentsIn(scenario, 1)).toEqual({ x: 100, y: 112 })
  })

  const SCREENS = `
monitors: [{bounds: {x: 0, y: 0, width: 1280, height: 800}, primary: true}, {bounds: {x: 1280, y: 0, width: 800, height: 600}}]
states:
  a:
    windows:
      - {uid: near, bounds: {x: 400, y: 100, width: 300, height: 200}}
      - uid: far
        bounds: {x: 1300, y: 40, width: 400, height: 300}
        tree: {children: [{id: plan, role: Pane, height: 40}, {id: map, bounds: {x: 1320, y: 200, width: 90, height: 40}}]}
windows: [{uid: ask, modal_to: far, bounds: {x: 1320, y: 60, width: 200, height: 100}}]
reactions:
  - {on: {tool: click_element, target_id: plan, region: {x: 60, y: 0, width: 30, height: 40}}, set: [{open: ask}]}
  - {on: {tool: click_element, target_id: map, region: {x: 60, y: 0, width: 30, height: 40}}, set: [{open: ask}]}
  - {on: {tool: click_element, region: {x: 410, y: 110, width: 30, height: 40}}, set: [{open: ask}]}
`
  const screens = (variant: AuthoredChoices) => withVariant(parseScenario(SCREENS), variant)
  const corners = ({ states, windows }: Scenario) =>
    [...states.get('a')!.windows, ...windows.values()].map(({ bounds: { x, y } }) => [x, y])

  it('[VAR16] leaves windows and dialogs on other monitors in their place there', () => {
    const kept = [
      [1300, 40],
      [1320, 60],
    ]
    expect(corners(screens({ window_position: 'top-left' }))).toEqual([[0, 32], ...kept])
    expect(corners(screens({ overlap: 'stacked' }))).toEqual([[400, 100], ...kept])
    const wider = kept.map(([x, y]) => [x! + 640, y])
    expect(corners(screens({ resolution: '1920x1080' }))).toEqual([[661, 150], ...wider])
  })

  it('[VAR18] moves regions of the screen, but not those of elements', () => {
    const regionsIn = ({ reactions }: Scenario) => reactions.map(({ on }) => [on.region!.x, on.region!.width])
    const moved = screens({ window_position: 'top-left' })
    expect(regionsIn(moved)).toEqual([
      [60, 30],
      [60, 30],
      [10, 30],
    ])
    // Texts are twice as large in half as many pixels. Only layouts keep their size.
    expect(regionsIn(screens({ text_size: 2 }))).toEqual([
      [60, 30],
      [30, 15],
      [205, 15],
    ])
  })

  it('[VAR20] adds a monitor with negative coordinates', () => {
    const { monitors } = varied({ monitors: 'left' })
    expect(monitors.map(({ bounds, primary }) => [bounds.x, primary])).toEqual([
      [0, true],
      [-1280, false],
    ])
  })

  it('[VAR21] adds windows behind those of the scenario', () => {
    const scenario = varied({ distractors: 2 })
    const { windows } = scenario.states.get('open')!
    expect(windows.slice(0, 2).map(({ uid }) => uid)).toEqual(['app', 'ask'])
    expect(windows).toHaveLength(4)
    const own = new Set(namesIn(scenario))
    const added = windows.slice(2).flatMap(({ tree }) => [...walk(tree)].map(({ name }) => name))
    expect(added.filter((name) => own.has(name))).toEqual([])
  })
})
