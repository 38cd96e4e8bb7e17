import { numberAxis } from '../axis.ts'

/** A display scale: everything is larger or smaller, and so is the screen in pixels. */
export const scale = numberAxis({
  name: 'scale',
  about:
    'The scale of the display: windows, controls, texts and the screen have more or fewer pixels. Monitors report it.',
  least: 0.75,
  most: 2,
  sampled: ['0.75', '1.25', '1.5', '2'],
  apply: (subject, value) => ({
    ...subject,
    ratio: subject.ratio * Number(value),
    scale: subject.scale * Number(value),
  }),
})
