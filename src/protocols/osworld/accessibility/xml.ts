import { stripControls } from '../../../observer/wire.ts'

/** An element of XML. */
export interface XmlElement {
  readonly tag: string
  readonly attributes: readonly XmlAttribute[]
  readonly text?: string
}

export type XmlAttribute = readonly [name: string, value: string]

/** Builds a document from start to end. Texts and values may hold anything; tags and names of attributes are valid XML. */
export class XmlWriter {
  #parts: string[] = []
  #isOpen = false

  open({ tag, attributes, text }: XmlElement): void {
    this.#closeStart()
    let start = `<${tag}`
    for (const [name, value] of attributes) start += ` ${name}="${escapedAttribute(value)}"`
    this.#parts.push(start)
    this.#isOpen = true
    if (text === undefined || text === '') return
    this.#closeStart()
    this.#parts.push(escapedText(text))
  }

  close(tag: string): void {
    this.#parts.push(this.#isOpen ? '/>' : `</${tag}>`)
    this.#isOpen = false
  }

  /** The document. */
  end(): string {
    return this.#parts.join('')
  }

  #closeStart(): void {
    if (this.#isOpen) this.#parts.push('>')
    this.#isOpen = false
  }
}

/** Lone surrogates, what is no character in XML, and the two that stand for objects and unreadable characters. */
const REMOVED = /[\ufffc-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const clean = (text: string): string => stripControls(text).replace(REMOVED, '')

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

const escapedAttribute = (value: string): string => clean(value).replace(/[&<>"\t\n\r]/g, (found) => ESCAPES[found]!)

const escapedText = (text: string): string => clean(text).replace(/[&<>\r]/g, (found) => ESCAPES[found]!)

/** A tag from words: dashes for blanks, and `unknown` for what is not the name of an element. */
export function tagFrom(words: string): string {
  const tag = words.trim().toLowerCase().replace(/\s+/g, '-')
  return /^[a-z_][a-z0-9_-]*$/.test(tag) && !tag.startsWith('xml') ? tag : 'unknown'
}
