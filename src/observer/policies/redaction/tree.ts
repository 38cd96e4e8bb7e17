import type { Desktop } from '../../../desktop/model/desktop.ts'
import { type Element, walk } from '../../../desktop/model/element.ts'
import type { ElementTraits } from '../../../desktop/model/traits.ts'
import { subtreePredicate } from '../../../desktop/tree/visibility.ts'
import type { RedactionRules } from './rules.ts'

/** Replaces the value of a non-empty secret field, with or without patterns. */
const SECRET_VALUE = '<filled>'

/** Whether a tree holds an element with a secret value. */
export const hasSecret = subtreePredicate('special', ({ traits }) => traits?.secret === true)

/**
 * Returns a function that redacts a tree. Unchanged subtrees keep their identity.
 * Its `everything` hides every element, because the title of the window or an ancestor matched.
 */
export function treeRedactor(rules: RedactionRules): (tree: Element, everything: boolean) => Element {
  const { active, replace, scrub, isHiddenElement } = rules
  const redacted = new WeakMap<Element, Element>()
  const redactedWhole = new WeakMap<Element, Element>()

  function redact(element: Element, everything: boolean): Element {
    // Without patterns only secrets are hidden, and most leaves are not worth caching.
    if (!active && element.children.length === 0 && !element.traits?.secret) return element
    const cache = everything ? redactedWhole : redacted
    const known = cache.get(element)
    if (known) return known
    const hides = everything || isHiddenElement(element)
    const children = redactAll(element.children, hides)
    const shown = everything ? hidePart(element) : hides ? hideElement(element) : scrubElement(hideSecret(element))
    const result = shown === element && children === element.children ? element : { ...shown, children }
    cache.set(element, result)
    return result
  }

  function redactAll(children: readonly Element[], everything: boolean): readonly Element[] {
    let changed = false
    const results = children.map((child) => {
      const result = redact(child, everything)
      changed ||= result !== child
      return result
    })
    return changed ? results : children
  }

  function hideElement({ valueNow: _now, valueMin: _min, valueMax: _max, ...element }: Element): Element {
    return {
      ...element,
      name: replace(element.name),
      value: element.value === null ? null : replace(element.value),
      description: element.description === null ? null : replace(element.description),
      ...(element.traits && { traits: withoutWrittenName(element.traits) }),
    }
  }

  /** Hides an element within a hidden one. The selected items of a hidden list would reveal its value. */
  function hidePart(element: Element): Element {
    const { selected: _selected, identifier: _identifier, ...hidden } = hideElement(element)
    return { ...hidden, keyboardShortcut: null }
  }

  /** Selectors also match the name in the scenario. */
  const scrubWrittenName = (traits: ElementTraits): ElementTraits => {
    const names = [traits.authored?.name ?? '', traits.writtenRow?.name ?? '']
    return names.every((name) => scrub(name) === name) ? traits : withoutWrittenName(traits)
  }

  function scrubElement(element: Element): Element {
    const name = scrub(element.name)
    const value = element.value === null ? null : scrub(element.value)
    const description = element.description === null ? null : scrub(element.description)
    const isUnchanged = name === element.name && value === element.value && description === element.description
    const traits = element.traits && scrubWrittenName(element.traits)
    if (isUnchanged && traits === element.traits) return element
    return { ...element, name, value, description, ...(traits !== element.traits && { traits }) }
  }

  return redact
}

/** Without the names in the scenario, where a platform shows others. */
function withoutWrittenName(traits: ElementTraits): ElementTraits {
  const { authored: written, writtenRow, ...rest } = traits
  if (!written && !writtenRow) return traits
  return { ...rest, ...(written && { authored: { role: written.role, name: '' } }) }
}

const hideSecret = (element: Element): Element =>
  element.traits?.secret && element.value !== null && element.value !== '' && element.value !== SECRET_VALUE
    ? { ...element, value: SECRET_VALUE }
    : element

/** The values of the secret fields of all windows. */
export function secretFieldValues({ windows }: Desktop): ReadonlySet<string> {
  const secrets = new Set<string>()
  for (const { tree } of windows)
    if (hasSecret(tree)) for (const { traits, value } of walk(tree)) if (traits?.secret && value) secrets.add(value)
  return secrets
}

/** Shorter secrets are hidden where they are a whole text, since they may be a part of any other. */
const MIN_PART_LENGTH = 4

/** A text in which secrets are hidden, also in quotes. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) {
    if (shown === secret) return SECRET_VALUE
    shown = shown.replaceAll(JSON.stringify(secret), JSON.stringify(SECRET_VALUE))
    if (secret.length >= MIN_PART_LENGTH) shown = shown.replaceAll(secret, SECRET_VALUE)
  }
  return shown
}
