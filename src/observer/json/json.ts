import { LruCache } from '../../base/lru-cache.ts'
import { isWireTree, type WireElement } from '../wire/element.ts'
import { treeJson } from './tree-json.ts'

const SMALL = 16_384

/** Fields whose text is base64, so that nothing in it is to be escaped. */
const PICTURES: ReadonlySet<string> = new Set(['data', 'screenshot_b64'])

const MAX_CACHED_PARTS = 32
const MAX_NAMES = 1024
const pictures = new LruCache<string, Buffer>(MAX_CACHED_PARTS)
const parts = new LruCache<Fields, Buffer>(MAX_CACHED_PARTS)
const sent = new WeakSet<object>()

type Fields = Readonly<Record<string, unknown>>

/** A part of an answer: a text, or bytes that are not to be changed, since they may be sent again. */
export type JsonChunk = string | Buffer

/**
 * The JSON of an answer, to be sent piece by piece: putting large ones together would copy them. Trees and pictures that
 * were sent before are not written again, nor is what they share with the latest of their name. Nor is `same`, further
 * fields of the answer, when it was in an earlier one.
 */
export function toJsonChunks(fields: Fields, same?: Fields): readonly JsonChunk[] {
  if (same) return aroundSame(fields, same)
  if (!holdsLarge(fields)) return [`${JSON.stringify(fields)}\n`]
  const pieces: JsonChunk[] = []
  write(fields, pieces)
  add('\n', pieces)
  return pieces
}

function aroundSame(fields: Fields, same: Fields): readonly JsonChunk[] {
  const others: string[] = []
  const text = opened(fields, others)
  if (sent.has(same) && others.length === 0 && text !== '{') return [`${text},`, bytesOf(same)]
  sent.add(same)
  return toJsonChunks({ ...fields, ...same })
}

/** The fields without the brace before them. */
const bytesOf = (same: Fields): Buffer =>
  parts.get(same) ?? parts.keep(same, Buffer.concat(toJsonChunks(same).map(Buffer.from)).subarray(1))

/** Whether an answer, or an object right in it, has a tree or a picture for a field. */
function holdsLarge(fields: Fields): boolean {
  for (const key in fields) if (isLarge(key, fields[key]) || isEnvelope(fields[key])) return true
  return false
}

function isEnvelope(value: unknown): value is Fields {
  if (!isObject(value) || Array.isArray(value)) return false
  for (const key in value) if (isLarge(key, value[key])) return true
  return false
}

const isLarge = (key: string, value: unknown): boolean =>
  isObject(value) ? isWireTree(value) : typeof value === 'string' && value.length >= SMALL && PICTURES.has(key)

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Small fields are written before the large ones, so that they are one text. */
function write(fields: Fields, pieces: JsonChunk[]): void {
  const others: string[] = []
  const text = opened(fields, others)
  add(text, pieces)
  for (const [place, key] of others.entries()) {
    add((place === 0 && text === '{' ? '' : ',') + nameOf(key), pieces)
    writeLarge(key, fields[key], pieces)
  }
  add('}', pieces)
}

/** The small fields of an object that is still open; the names of the others are told. */
function opened(fields: Fields, others: string[]): string {
  let text = '{'
  for (const key in fields) {
    const value = fields[key]
    if (value === undefined) continue
    if (isLarge(key, value) || isEnvelope(value)) others.push(key)
    else text += (text === '{' ? '' : ',') + nameOf(key) + jsonOf(value)
  }
  return text
}

/** The names of fields, of which there are few. */
const names = new Map<string, string>()

function nameOf(key: string): string {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = `${JSON.stringify(key)}:`
  if (names.size < MAX_NAMES) names.set(key, name)
  return name
}

/** As `JSON.stringify`, which takes longer for what needs no quotes. */
function jsonOf(value: unknown): string {
  if (typeof value === 'boolean' || value === null || Number.isFinite(value)) return String(value)
  return JSON.stringify(value)
}

function add(piece: JsonChunk, pieces: JsonChunk[]): void {
  const last = pieces.at(-1)
  if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece
  else pieces.push(piece)
}

function writeLarge(key: string, value: unknown, pieces: JsonChunk[]): void {
  if (typeof value === 'string') for (const piece of ['"', encodePicture(value), '"']) add(piece, pieces)
  else if (isLarge(key, value)) add(treeJson(value as WireElement), pieces)
  else write(value as Fields, pieces)
}

const encodePicture = (letters: string): Buffer =>
  pictures.get(letters) ?? pictures.keep(letters, Buffer.from(letters, 'latin1'))
