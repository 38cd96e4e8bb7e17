import { expect, it } from 'vitest'
import { acceptsType } from './http.ts'

// Rules such as [PRO10] are stated in ../SPEC.md.

it.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/*, text/*', true],
  ['Application/JSON', true],
  ['APPLICATION/json;charset=utf-8;Q=0.5', true],
  ['text/html, */*;q=0.1', true],
  ['application/json ; q = 0.3', true],
  ['*/*;q=0', false],
  ['*/*, application/json;q=0', false],
  ['application/*;q=0, */*', false],
  ['application/json, application/*;q=0', true],
  ['application/json;q=0.000', false],
  ['text/html', false],
  ['application/jsonp', false],
  ['json', false],
])('[PRO10] of JSON by Accept: %s is %s', (header, accepts) => {
  expect(acceptsType(header, 'application/json')).toBe(accepts)
})
