import { describe, expect, it } from 'vitest'
import { fromPng } from '../../paint/picture.ts'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB115] are stated in src/observer/SPEC.md.

const DESK = `
name: desk
monitors: [{bounds: {x: 0, y: 0, width: 640, height: 400}}]
states:
  a:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: App
          children:
            - {id: ok, role: Button, name: OK, bounds: {x: 20, y: 60, width: 100, height: 40}}
            - {id: pin, role: Edit, name: PIN, value: '1234', secret: true, bounds: {x: 20, y: 120, width: 100, height: 30}}
`

describe('get_annotations', () => {
  it('[OB115] returns boxes in the pixels of the screen, a window and a region', async () => {
    const desk = openDesktop({ scenario: DESK, variant: { scale: 2 } })
    const boxOf = async (args: object) =>
      (await desk.call('get_annotations', args)).annotations.find(({ element_id }) => element_id === 'ok')?.bbox
    const { bounds } = desk.computer.tree('mock:app')!.children[0]!
    expect(bounds).toEqual({ x: 40, y: 120, width: 200, height: 80 })
    expect(await boxOf({})).toEqual([40, 120, 200, 80])
    expect(await boxOf({ window_title: 'App' })).toEqual([40, 120, 200, 80])
    expect(await boxOf({ region: { x: 100, y: 100, width: 50, height: 50 } })).toEqual([0, 20, 50, 30])
  })

  it('[OB115] adds the screenshot, plain or with marks', async () => {
    const desk = openDesktop({ scenario: DESK })
    const plain = await desk.call('get_annotations', { picture: 'plain' })
    expect(plain.picture?.data).toBe((await desk.call('get_screenshot')).data)
    expect(plain.images).toEqual([{ id: 1, file_name: 'screen.png', width: 640, height: 400 }])
    const marked = fromPng(await desk.screenshot({ marks: true }))
    expect(Buffer.compare(marked.pixels(), fromPng(await desk.screenshot()).pixels())).not.toBe(0)
    expect((await desk.annotations()).annotations).toEqual(plain.annotations)
  })

  it('[OB115] refuses a window and a region at once', async () => {
    const region = { x: 0, y: 0, width: 9, height: 9 }
    const { error } = await openDesktop({ scenario: DESK }).tryCall('get_annotations', { window_index: 0, region })
    expect(error).toMatchObject({ code: 'BadRequest', context: { field: 'region' } })
  })

  it('[OB116] hides what is hidden from clients', async () => {
    const open = openDesktop({ scenario: DESK })
    expect(JSON.stringify(await open.call('get_annotations'))).not.toContain('1234')
    const config = { redaction: { element_name_patterns: ['OK'] } }
    const { annotations, texts } = await openDesktop({ scenario: DESK, config }).call('get_annotations')
    expect(annotations).toContainEqual(expect.objectContaining({ element_id: 'ok', bbox: [20, 60, 100, 40] }))
    expect(JSON.stringify([annotations, texts])).not.toContain('"OK"')
  })
})
