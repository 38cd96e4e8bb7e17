import * as z from 'zod'
import { type Element, withFields } from '../../../desktop/model/element.ts'
import { defineFault } from '../fault-kind.ts'

function scaled(element: Element, factor: number): Element {
  const { x, y, width, height } = element.bounds
  const by = (length: number) => Math.round(length * factor)
  return withFields(element, {
    bounds: { x: by(x), y: by(y), width: by(width), height: by(height) },
    children: element.children.map((child) => scaled(child, factor)),
  })
}

export const wrongCoordinates = defineFault({
  id: 'wrong-coordinates',
  describe: 'The bounds in trees are off by a factor, as when a program ignores the scale of the monitor.',
  params: {
    factor: z
      .number()
      .min(0.25)
      .max(4)
      .describe('The factor of all coordinates in trees')
      .meta({ examples: [1.25] })
      .default(1.25),
  },
  hook: { on: 'observation', constant: true, tree: ({ tree, params }) => scaled(tree, params.factor) },
})
