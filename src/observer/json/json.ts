import { LruCache } from '../../base/lru-cache.ts'
import { isWireTree, type WireElement } from '../wire/element.ts'
import { treeJson } from './tree-json.ts'

const MIN_CACHED_CHARACTERS = 16_384

/** Fields with base64 text, which needs no escaping. */
const PICTURES: ReadonlySet<string> = new Set(['data', 'screenshot_b64'])

const MAX_CACHED_PARTS = 32
const MAX_NAMES = 1024
const pictures = new LruCache<string, Buffer>(MAX_CACHED_PARTS)
const parts = new LruCache<Fields, Buffer>(MAX_CACHED_PARTS)
const sent = new WeakSet<object>()

type Fields = Readonly<Record<string, unknown>>

/** A part of the JSON: text, or bytes that must not be modified, since they may be sent again. */
export type JsonChunk = string | Buffer

/**
 * Serialises a result as chunks, since joining large ones would copy them. Reuses the bytes of trees and pictures that were
 * sent before, of what they share with the latest one of their name, and of `cached`, further fields of the result, if an
 * earlier result had the cached object.
 */
export function toJsonChunks(fields: Fields, cached?: Fields): readonly JsonChunk[] {
  if (cached) return withCached(fields, cached)
  if (!holdsLarge(fields)) return [`${JSON.stringify(fields)}\n`]
  const pieces: JsonChunk[] = []
  write(fields, pieces)
  add('\n', pieces)
  return pieces
}

function withCached(fields: Fields, cached: Fields): readonly JsonChunk[] {
  const others: string[] = []
  const text = openObject(fields, others)
  if (sent.has(cached) && others.length === 0 && text !== '{') return [`${text},`, bytesOf(cached)]
  sent.add(cached)
  return toJsonChunks({ ...fields, ...cached })
}

/** The JSON of the fields without the opening brace. */
const bytesOf = (cached: Fields): Buffer =>
  parts.get(cached) ?? parts.keep(cached, Buffer.concat(toJsonChunks(cached).map(Buffer.from)).subarray(1))

/** Whether a result, or an object directly in it, has a tree or a picture as a field. */
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
  isObject(value)
    ? isWireTree(value)
    : typeof value === 'string' && value.length >= MIN_CACHED_CHARACTERS && PICTURES.has(key)

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Small fields are written before the large ones, so that they form one chunk. */
function write(fields: Fields, pieces: JsonChunk[]): void {
  const others: string[] = []
  const text = openObject(fields, others)
  add(text, pieces)
  for (const [place, key] of others.entries()) {
    add((place === 0 && text === '{' ? '' : ',') + nameOf(key), pieces)
    writeLarge(key, fields[key], pieces)
  }
  add('}', pieces)
}

/** The small fields of an object without its closing brace. The names of the large ones are added to `others`. */
function openObject(fields: Fields, others: string[]): string {
  let text = '{'
  for (const key in fields) {
    const value = fields[key]
    if (value === undefined) continue
    if (isLarge(key, value) || isEnvelope(value)) others.push(key)
    else text += (text === '{' ? '' : ',') + nameOf(key) + jsonOf(value)
  }
  return text
}

/** Serialised names of fields, of which there are few. */
const names = new Map<string, string>()

function nameOf(key: string): string {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = `${JSON.stringify(key)}:`
  if (names.size < MAX_NAMES) names.set(key, name)
  return name
}

/** Like `JSON.stringify`, but faster for values without quotes. */
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

const encodePicture = (base64: string): Buffer =>
  pictures.get(base64) ?? pictures.keep(base64, Buffer.from(base64, 'latin1'))
