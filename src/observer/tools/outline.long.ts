import { expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { galleryNames } from '../../compose/gallery.ts'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB65] are stated in src/observer/SPEC.md. outline.test.ts has the first of these cases.

it.each(shareOf(galleryNames()))('[OB65] an outline is short: %s', async (scenario) => {
  const desk = openDesktop({ scenario })
  const { outline, window_uid } = await desk.call('get_screen_outline', {})
  const { tree } = await desk.call('observe_window', { window_uid })
  expect(outline.length * 5).toBeLessThan(JSON.stringify(tree).length)
})
