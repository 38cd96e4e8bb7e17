import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { fromPng } from '../../paint/picture.ts'
import type { Vision } from '../../perception/perception.ts'
import { sceneOcr } from '../../perception/scene-index.ts'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB105] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: Letter
        process: letter.exe
        bounds: {x: 40, y: 40, width: 400, height: 300}
        tree:
          role: Window
          name: Letter
          children:
            - {id: go, role: Button, name: Send letter, bounds: {x: 60, y: 100, width: 120, height: 28}}
            - {id: e, role: Edit, name: Text, value: Dear Ada, bounds: {x: 60, y: 200, width: 200, height: 28}}
  empty: {windows: []}
`

const sizeOf = ({ width, height, data }: Record<string, unknown>) => {
  const picture = fromPng(Buffer.from(data as string, 'base64'))
  expect([picture.width, picture.height]).toEqual([width, height])
  return [width, height]
}

describe('screenshots', () => {
  it('[OB105] show the named window, else the primary monitor', async () => {
    const desk = openDesktop({ scenario: APP })
    const window = await desk.call('get_screenshot', { window_title: 'letter' })
    expect(window).toMatchObject({ window: 'Letter', window_uid: 'mock:a', format: 'png', encoding: 'base64' })
    expect(sizeOf(window)).toEqual([400, 300])
    const screen = await desk.call('get_screenshot')
    expect(screen.window).toBe('(full screen)')
    expect(sizeOf(screen)).toEqual([1280, 800])
  })

  it('[OB105] include a sketch when both are requested', async () => {
    const both = await openDesktop({ scenario: APP }).call('get_full_screenshot', { grid_width: 40, grid_height: 10 })
    expect(both).toMatchObject({ window: 'Letter', screenshot_scope: 'full_display' })
    expect((both.sketch as string).split('\n')[0]).toMatch(/^.{1,40}$/)
    const empty = openDesktop({ scenario: `initial_state: empty${APP}` })
    expect(await empty.call('get_full_screenshot')).toMatchObject({ window: null, sketch: null, width: 1280 })
  })

  it('[OB107] show a part, with padding, in a smaller size', async () => {
    const desk = openDesktop({ scenario: APP })
    const element = await desk.call('get_screenshot_cropped', { element_id: 'go', padding_px: 5 })
    expect(element.source_bbox).toEqual({ x: 15, y: 55, width: 130, height: 38 })
    expect(sizeOf(element)).toEqual([130, 38])
    const bbox = { x: 40, y: 40, width: 200, height: 100 }
    expect(sizeOf(await desk.call('get_screenshot_cropped', { bbox, max_width: 50 }))).toEqual([50, 25])
    const whole = await desk.call('get_screenshot_cropped', {})
    expect(sizeOf(whole)).toEqual([400, 300])
    expect(whole).not.toHaveProperty('source_bbox')
  })

  it('[OB108] accept boxes relative to the window, as results return them', async () => {
    const desk = openDesktop({ scenario: APP })
    const chosen = { window_index: 0 }
    const shot = (args: object) => desk.call('get_screenshot_cropped', args)
    const near = await shot({ ...chosen, bbox: { x: 0, y: 0, width: 40, height: 40 } })
    expect(near).toMatchObject({ relative_to: 'window', source_bbox: { x: 0, y: 0, width: 40, height: 40 } })
    const element = await shot({ ...chosen, element_id: 'go' })
    const again = await shot({ ...chosen, bbox: element.source_bbox })
    expect([again.source_bbox, again.data]).toEqual([element.source_bbox, element.data])
    const partly = await shot({ ...chosen, bbox: { x: 390, y: -5, width: 40, height: 40 } })
    expect(partly.source_bbox).toEqual({ x: 390, y: 0, width: 10, height: 35 })
  })

  it('[OB109] accept screen coordinates when no window is named', async () => {
    const desk = openDesktop({ scenario: APP })
    const bbox = { x: 60, y: 100, width: 120, height: 28 }
    const shot = (args: object) => desk.call('get_screenshot_cropped', args)
    const part = await shot({ bbox })
    expect(part).toMatchObject({ window: '(full screen)', relative_to: 'screen', source_bbox: bbox })
    expect(part).not.toHaveProperty('window_uid')
    expect(part.data).toBe((await shot({ window_index: 0, element_id: 'go' })).data)
    expect(await shot({ bbox: { x: 1200, y: 790, width: 500, height: 500 } })).toMatchObject({ width: 80, height: 10 })
  })

  it('[OB107] refuse a target that does not exist', async () => {
    const desk = openDesktop({ scenario: APP })
    const code = async (args: object) => (await desk.tryCall('get_screenshot_cropped', args)).error?.code
    expect(await code({ element_id: 'nope' })).toBe('ElementNotFound')
    expect(await code({ bbox: { x: 5000, y: 40, width: 10, height: 10 } })).toBe('BadRequest')
    expect(await code({ window_index: 0, bbox: { x: 400, y: 40, width: 10, height: 10 } })).toBe('BadRequest')
    expect(await code({ bbox: { x: 50, y: 50, width: 0, height: 10 } })).toBe('BadRequest')
    expect(await code({ bbox: 'all' })).toBe('BadRequest')
  })
})

describe('the description', () => {
  it('[OB117] is available from each source, and from all of them together', async () => {
    const answer = await openDesktop({ scenario: APP }).call('get_screen_description', { mode: 'ocr' })
    expect(answer).toMatchObject({ mode: 'combined', effective_mode: 'combined', truncated: false })
    const { accessibility, ocr, vlm, description } = answer as Record<string, string>
    expect(accessibility).toMatch(/^Application : letter\.exe\nWindow {6}: Letter\n/)
    expect(ocr).toContain('Dear Ada')
    expect(vlm).toBeUndefined()
    expect(description).toBe(`[accessibility]\n${accessibility}\n\n[ocr]\n${ocr}`)
  })

  it('[OB117] is truncated at four characters per token, and can cover one element', async () => {
    const desk = openDesktop({ scenario: APP })
    const cut = await desk.call('get_screen_description', { max_tokens: 5 })
    expect(cut).toMatchObject({ description: '[accessibility]\nAppl… [truncated]', truncated: true })
    const part = await desk.call('get_screen_description', { focus_element: 'e' })
    expect(part.accessibility).not.toContain('Send letter')
    expect((await desk.tryCall('get_screen_description', { focus_element: 'x' })).error?.code).toBe('ElementNotFound')
  })

  it('[OB117] reports sources that are disabled, missing or failing', async () => {
    const sources = async (settings: object, perception = {}) => {
      const { ocr, vlm } = await openDesktop({ scenario: APP, config: settings, perception }).call(
        'get_screen_description',
      )
      return [ocr, vlm]
    }
    expect(await sources({ ocr: { enabled: true } })).toEqual([
      '[OCR unavailable: no text recognition is installed]',
      undefined,
    ])
    expect(await sources({ vlm: { enabled: true } })).toEqual([
      '[OCR unavailable: no text recognition is installed]',
      '[VLM not configured: set vlm.base_url and vlm.model]',
    ])
    const blind = {
      ocr: { name: 'blind', read: () => Promise.reject(new Fault('PlatformUnsupported', 'no eyes')) },
      vision: { model: 'm', describe: () => Promise.reject(new Fault('Timeout', 'too slow')) },
    }
    expect(await sources({ vlm: { enabled: true, model: 'm' } }, blind)).toEqual([
      '[OCR unavailable: no eyes]',
      '[VLM unavailable: too slow]',
    ])
    expect((await sources({}, { ocr: { name: 'none', read: async () => [] } }))[0]).toBe('[No text detected by OCR]')
  })

  it('[OB118] omits sources that the operator has disabled', async () => {
    const answer = await openDesktop({ scenario: APP, config: { ocr: { enabled: false } } }).call(
      'get_screen_description',
    )
    expect(answer).not.toHaveProperty('ocr')
    expect(answer).not.toHaveProperty('vlm')
    expect(answer.description).toBe(`[accessibility]\n${answer.accessibility}`)
  })

  it('[OB117] [OB221] calls a vision model until its budget is spent', async () => {
    const vision: Vision = { model: 'm', describe: async () => ({ text: 'A letter.', tokens: 30 }) }
    const settings = { vlm: { enabled: true, model: 'm' }, budget: { max_vlm_tokens: 30 } }
    const desk = openDesktop({ scenario: APP, config: settings, perception: { vision, ocr: sceneOcr } })
    const first = await desk.call('get_screen_description')
    expect(first).toMatchObject({ vlm: 'A letter.', description: expect.stringMatching(/\n\n\[vlm]\nA letter\.$/) })
    expect((await desk.call('get_budget_status')).vlm_tokens).toEqual({ used: 30, limit: 30, remaining: 0 })
    expect((await desk.call('get_screen_description')).vlm).toBe('[VLM unavailable: max_vlm_tokens reached]')
  })
})

describe('the sketch', () => {
  it('[OB119] has the requested size, else the configured one', async () => {
    const size = async (args: object, settings: object = {}) => {
      const answer = await openDesktop({ scenario: APP, config: settings }).call('get_screen_sketch', args)
      return [answer.grid_width, answer.grid_height]
    }
    expect(await size({})).toEqual([72, 24])
    expect(await size({ grid_width: 30, grid_height: 12 })).toEqual([30, 12])
    expect(await size({}, { ascii_sketch: { grid_width: 110, grid_height: 38 } })).toEqual([110, 38])
    for (const grid of [{ grid_width: 401 }, { grid_height: 201 }, { grid_width: 0 }, { grid_width: 100_000_000 }])
      expect((await openDesktop({ scenario: APP }).tryCall('get_screen_sketch', grid)).error?.code).toBe('BadRequest')
  })

  it('[OB119] includes its elements and its legend', async () => {
    const desk = openDesktop({ scenario: APP })
    expect(await desk.call('get_screen_sketch')).not.toHaveProperty('elements')
    const { elements, legend } = await desk.call('get_screen_sketch', { structured: true })
    expect((elements as { id: string }[]).map(({ id }) => id)).toEqual(['root', 'go', 'e'])
    expect(legend).toEqual(expect.any(Object))
    expect((await desk.call('get_screen_sketch', { ocr: true })).ocr_text).toContain('Dear Ada')
  })
})

describe('text recognition', () => {
  it('[OB120] returns words with their boxes in the window, also for a part of it', async () => {
    const desk = openDesktop({ scenario: APP })
    const { words, engine } = await desk.call('get_ocr', { element_id: 'e' })
    expect(engine).toBe('scene')
    const whole = (await desk.call('get_ocr', { window_index: 0 })).words as { text: string }[]
    expect(whole.filter(({ text }) => ['Dear', 'Ada'].includes(text))).toEqual(words)
    expect((words as { text: string }[]).map(({ text }) => text)).toEqual(['Dear', 'Ada'])
    const [word] = words as { bbox: { x: number; y: number }; confidence: number }[]
    expect(word!.bbox.x).toBeGreaterThanOrEqual(20)
    expect(word!.bbox.y).toBeGreaterThanOrEqual(160)
    expect(word!.confidence).toBe(100)
    const fed = await desk.call('get_ocr' as string, { window_index: 0, bbox: word!.bbox })
    expect((fed.words as { text: string }[]).map(({ text }) => text)).toEqual(['Dear'])
  })

  it('[OB121] returns screen coordinates for a part of the screen', async () => {
    const bbox = { x: 60, y: 200, width: 200, height: 28 }
    const answer = await openDesktop({ scenario: APP }).call('get_ocr', { bbox })
    expect(answer).toMatchObject({ relative_to: 'screen', tree_token: null })
    const words = answer.words as { text: string; bbox: { x: number; y: number } }[]
    expect(words.map(({ text }) => text)).toEqual(['Dear', 'Ada'])
    for (const word of words) expect([word.bbox.x > 60, word.bbox.y >= 200]).toEqual([true, true])
  })

  it('[OB120] is unavailable when disabled or missing, and drops uncertain words', async () => {
    const code = async (options: object) =>
      (await openDesktop({ scenario: APP, ...options }).tryCall('get_ocr')).error?.code
    expect(await code({ config: { ocr: { enabled: false } } })).toBe('PlatformUnsupported')
    expect(await code({ perception: {} })).toBe('PlatformUnsupported')
    const unsure = {
      name: 'unsure',
      read: async () => [
        { text: 'maybe', bounds: { x: 0, y: 0, width: 1, height: 1 }, confidence: 29, line: 0, block: 0 },
      ],
    }
    expect(await openDesktop({ scenario: APP, perception: { ocr: unsure } }).call('get_ocr')).toMatchObject({
      words: [],
    })
  })

  it('[OB227] hides a match across the words of a line, at any confidence', async () => {
    const read = async () =>
      ['Card 4111 1111 2222 of Ada', '4111', '1111 2222'].flatMap((text, line) =>
        text.split(' ').map((word, at) => {
          const bounds = { x: at * 10, y: line * 10, width: 8, height: 8 }
          return { text: word, bounds, confidence: word === '2222' ? 20 : 90, line, block: 0 }
        }),
      )
    const settings = { redaction: { ocr_text_patterns: ['\\d{4} \\d{4} \\d{4}'], replacement: '#' } }
    const desk = openDesktop({ scenario: APP, config: settings, perception: { ocr: { name: 'pixels', read } } })
    const { words } = (await desk.call('get_ocr')) as { words: { text: string; bbox: object }[] }
    expect(words.map(({ text }) => text)).toEqual(['Card', '#', 'of', 'Ada', '4111', '1111'])
    expect(words[1]!.bbox).toEqual({ x: 10, y: 0, width: 28, height: 8 })
  })
})

describe('a window without a tree', () => {
  it('[OB22] still has a description and a picture', async () => {
    const desk = openDesktop({ scenario: APP })
    Object.assign(desk.session.computer, { tree: () => undefined })
    for (const tool of ['get_window_structure', 'observe_window', 'find_element', 'click_element'])
      expect((await desk.tryCall(tool, { selector: 'Button' })).error?.code).toBe('PlatformUnsupported')
    expect(await desk.call('get_screen_description')).toMatchObject({
      accessibility: '[No accessibility tree for this window]',
      ocr: expect.stringContaining('Dear Ada'),
      tree_token: null,
    })
    expect(await desk.call('get_full_screenshot')).toMatchObject({ window: 'Letter', sketch: null })
    expect(await desk.call('get_visible_areas')).toMatchObject({ tree_token: null })
  })
})
