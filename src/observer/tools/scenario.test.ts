import { describe, expect, it } from 'vitest'
import { fromPixels, fromPng } from '../../paint/picture.ts'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB175] and [OB209] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        bounds: {x: 40, y: 40, width: 400, height: 300}
        tree:
          role: Window
          name: A
          children:
            - {id: go, role: Button, name: Go, bounds: {x: 60, y: 100, width: 80, height: 28}}
            - {id: e, role: Edit, name: E, value: text, bounds: {x: 60, y: 200, width: 200, height: 28}}
`
const OTHER = `{name: other, states: {one: {windows: [{uid: mock:b, title: B}]}, two: {}}}`

describe('loading a scenario', () => {
  it('puts it on the desktop', async () => {
    const desk = openDesktop({ scenario: APP, files: { 'other.yaml': OTHER } })
    expect(await desk.call('load_scenario' as string, { path: 'other.yaml' })).toMatchObject({
      scenario: 'other',
      state: 'one',
      states: ['one', 'two'],
    })
    expect(await desk.call('list_windows')).toMatchObject({ windows: [{ title: 'B' }] })
  })

  it.each([
    ['missing.yaml', /names no file that ends in .yaml, .yml below the folders this server may read$/],
    ['borken', /names no file .*; did you mean "broken"\?$/],
    ['broken.yaml', /broken\.yaml:1:\d+/],
  ])('[OB175] keeps the old one when %s is not usable', async (path, message) => {
    const desk = openDesktop({
      scenario: APP,
      files: { 'broken.yaml': '{states: {a: {windows: [{uid: 1, titel: B}]}}}' },
    })
    const { error } = await desk.tryCall('load_scenario' as string, { path })
    expect(error).toMatchObject({ code: 'ScenarioInvalid', message: expect.stringMatching(message), context: { path } })
    expect(await desk.call('list_windows')).toMatchObject({ windows: [{ title: 'A' }] })
  })

  it('[OB187] invalidates the tokens of the old one', async () => {
    const desk = openDesktop({ scenario: APP, files: { 'again.yaml': APP } })
    const { tree_token: since } = await desk.call('observe_window')
    await desk.call('load_scenario' as string, { path: 'again.yaml' })
    expect(await desk.call('observe_window', { since })).toMatchObject({ format: 'full' })
  })
})

describe('assert_state', () => {
  it('[OB208] evaluates in order, and never fails as a whole', async () => {
    const desk = openDesktop({ scenario: APP })
    const predicate = [
      { kind: 'element_exists', selector: 'Button "Go"' },
      { kind: 'element_exists', selector: 'Button[' },
      { kind: 'moon_is_full' },
      'nonsense',
      { kind: 'window_focused', title_regex: '^A$' },
    ]
    const answer = await desk.call('assert_state', { predicate })
    expect(answer).toMatchObject({ all_passed: false })
    expect((answer.results as { kind: string; passed: boolean }[]).map(({ kind, passed }) => [kind, passed])).toEqual([
      ['element_exists', true],
      ['element_exists', false],
      ['moon_is_full', false],
      ['?', false],
      ['window_focused', true],
    ])
    expect(await desk.call('assert_state', { predicates: predicate.slice(0, 1) })).toMatchObject({ all_passed: true })
  })

  it.each([{}, { predicate: [] }, { predicate: 'x' }, { predicates: {} }])('[OB208] refuses %j', async (args) => {
    expect((await openDesktop({ scenario: APP }).tryCall('assert_state' as string, args)).error?.code).toBe(
      'BadRequest',
    )
  })

  it('[OB208] reads the picture when the tree has no text', async () => {
    const desk = openDesktop({ scenario: APP })
    const { results } = await desk.call('assert_state', {
      predicate: [{ kind: 'text_visible', regex: 'text', mode: 'ocr' }],
    })
    expect(results).toMatchObject([{ passed: true, observed: { source: 'ocr' } }])
  })
})

describe('a similar screenshot', () => {
  const shoot = async (yaml: string) => {
    const { data } = await openDesktop({ scenario: yaml }).call('get_screenshot', { window_uid: 'mock:a' })
    return Buffer.from(data as string, 'base64')
  }
  const compare = async (reference: Buffer, predicate: object = {}, yaml = APP) => {
    const desk = openDesktop({ scenario: yaml, files: { 'reference.png': reference } })
    const similar = { kind: 'screenshot_similar', reference_path: 'reference.png', ...predicate }
    const { results } = await desk.call('assert_state', { predicate: [similar] })
    return { desk, result: (results as { passed: boolean; observed: Record<string, unknown> }[])[0]! }
  }

  it('[OB209] is the same one', async () => {
    const { result } = await compare(await shoot(APP))
    expect(result).toMatchObject({ passed: true, observed: { ssim: 1, min_patch_ssim: 1 } })
  })

  it('[OB209] hides a renamed button in the whole, and shows it in the worst patch', async () => {
    const reference = await shoot(APP.replace('name: Go', 'name: Stop'))
    const { result } = await compare(reference)
    expect(result.passed).toBe(true)
    expect(result.observed.ssim).toBeGreaterThan(0.99)
    expect(result.observed.min_patch_ssim).toBeLessThan(0.9)
    expect((await compare(reference, { min_patch_ssim: 0.9 })).result.passed).toBe(false)
  })

  it('[OB211] lists the changed elements, and draws them', async () => {
    const { desk, result } = await compare(await shoot(APP.replace('name: Go', 'name: Stop')), { min_patch_ssim: 0.9 })
    expect(result.observed.changed_elements).toEqual([
      {
        element_id: 'go',
        role: 'Button',
        name: 'Go',
        bounds: { x: 60, y: 100, width: 80, height: 28 },
        pixels: expect.any(Number),
      },
    ])
    const drawn = desk.artifacts.get(result.observed.difference_path as string)
    expect(fromPng(Buffer.from(drawn as Uint8Array)).height).toBe(300)
  })

  it('[OB209] [OB283] cannot be compared with a picture of another shape, one that is far too wide, or none', async () => {
    const square = Buffer.from(await fromPixels(10, 10, new Uint8Array(400).fill(255)).png())
    expect((await compare(square)).result).toMatchObject({
      passed: false,
      observed: expect.stringMatching(/cannot be compared/),
    })
    expect((await compare(Buffer.from('no picture at all'))).result.observed).toBe(
      'error: BadRequest: reference_path: "reference.png" is not a picture; give a PNG or JPEG picture',
    )
    expect((await compare(Buffer.from('GIF89a'))).result.observed).toMatch(/is image\/gif; give a PNG or JPEG/)
    expect((await compare(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]))).result.observed).toMatch(/cannot be read as/)
    expect(
      (await compare(Buffer.from(await fromPixels(1700, 1, new Uint8Array(6800).fill(255)).png()))).result.observed,
    ).toMatch(/1700 px wide, more than 4 times the 400 px/)
    expect((await compare(square, { reference_path: 'missing.png' })).result.observed).toMatch(/names no file/)
  })

  it('[OB210] is compared with a JPEG file, regardless of its file name', async () => {
    const { createCanvas, loadImage } = await import('@napi-rs/canvas')
    const image = await loadImage(await shoot(APP))
    const canvas = createCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const { result } = await compare(canvas.toBuffer('image/jpeg', 95))
    expect(result.passed).toBe(true)
    expect(result.observed.ssim).toBeLessThan(1)
  })

  it('[OB209] is compared with a larger picture of the same shape', async () => {
    const double = APP.replace('width: 400, height: 300', 'width: 200, height: 150')
    const { result } = await compare(await shoot(APP), { min_ssim: -1 }, double)
    expect(result).toMatchObject({ passed: true, observed: { ssim: expect.any(Number) } })
  })
})
