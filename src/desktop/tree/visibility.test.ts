import { expect, it } from 'vitest'
import { button, window } from '../model/builders.ts'
import { createSubtreePredicates } from './visibility.ts'

it('[DT41] refuses a seventeenth predicate, and the sixteen before it keep their answers', () => {
  const subtreePredicate = createSubtreePredicates()
  const names = Array.from({ length: 16 }, (_, index) => `button ${index}`)
  const predicates = names.map((wanted) => subtreePredicate('any', ({ name }) => name === wanted))
  expect(() => subtreePredicate('any', () => true)).toThrow('16 subtree predicates')
  const trees = names.map((name) => window('w', button(name)).tree)
  const answers = trees.map((tree) => predicates.map((holds) => holds(tree)))
  expect(answers).toEqual(names.map((name) => names.map((other) => other === name)))
})
