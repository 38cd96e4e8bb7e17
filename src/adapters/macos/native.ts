import type { TypeObject } from 'koffi'
import koffi from 'koffi'
import type { Point, Rect } from '../../desktop/model/geometry.ts'

/** A reference to an object of Core Foundation, such as a string or an element. */
export type CfRef = bigint

/** The libraries with the functions below. Tests have one library with all. */
export interface MacLibraries {
  readonly coreFoundation: string
  readonly applicationServices: string
}

const FRAMEWORKS = '/System/Library/Frameworks'

export const MAC_LIBRARIES: MacLibraries = {
  coreFoundation: `${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`,
  applicationServices: `${FRAMEWORKS}/ApplicationServices.framework/ApplicationServices`,
}

/** A rectangle as C has it. */
interface CRect {
  readonly origin: Point
  readonly size: { readonly width: number; readonly height: number }
}

let structs: { readonly point: TypeObject; readonly rect: TypeObject } | undefined

/** The structures, which koffi knows by name for the whole process. */
function structsOf() {
  if (structs) return structs
  const point = koffi.struct('CGPoint', { x: 'double', y: 'double' })
  const size = koffi.struct('CGSize', { width: 'double', height: 'double' })
  structs = { point, rect: koffi.struct('CGRect', { origin: point, size }) }
  return structs
}

/** Loads the functions of C that the adapter calls. Throws when a library or a function is missing. */
export function loadMacFunctions({ coreFoundation, applicationServices }: MacLibraries) {
  const { point, rect } = structsOf()
  const cf = koffi.load(coreFoundation)
  const ax = applicationServices === coreFoundation ? cf : koffi.load(applicationServices)
  return {
    rect,
    retain: cf.func('void *CFRetain(void *)') as (ref: CfRef) => CfRef,
    release: cf.func('void CFRelease(void *)') as (ref: CfRef) => void,
    typeOf: cf.func('unsigned long CFGetTypeID(void *)') as (ref: CfRef) => number,
    types: {
      string: cf.func('unsigned long CFStringGetTypeID()')() as number,
      number: cf.func('unsigned long CFNumberGetTypeID()')() as number,
      boolean: cf.func('unsigned long CFBooleanGetTypeID()')() as number,
      array: cf.func('unsigned long CFArrayGetTypeID()')() as number,
      value: ax.func('unsigned long AXValueGetTypeID()')() as number,
      element: ax.func('unsigned long AXUIElementGetTypeID()')() as number,
    },
    createString: cf.func('void *CFStringCreateWithCString(void *, const char *, uint32_t)'),
    stringLength: cf.func('long CFStringGetLength(void *)') as (ref: CfRef) => number,
    readString: cf.func('bool CFStringGetCString(void *, _Out_ uint8_t *, long, uint32_t)'),
    readNumber: cf.func('bool CFNumberGetValue(void *, long, _Out_ double *)'),
    readBoolean: cf.func('bool CFBooleanGetValue(void *)') as (ref: CfRef) => boolean,
    createArray: cf.func('void *CFArrayCreate(void *, void **, long, void *)'),
    arrayCallbacks: koffi.address(cf.symbol('kCFTypeArrayCallBacks', 'int')),
    true: koffi.decode(cf.symbol('kCFBooleanTrue', 'void *'), 'void *') as CfRef,
    false: koffi.decode(cf.symbol('kCFBooleanFalse', 'void *'), 'void *') as CfRef,
    count: cf.func('long CFArrayGetCount(void *)') as (ref: CfRef) => number,
    at: cf.func('void *CFArrayGetValueAtIndex(void *, long)') as (ref: CfRef, index: number) => CfRef,
    equal: cf.func('bool CFEqual(void *, void *)') as (a: CfRef, b: CfRef) => boolean,
    hash: cf.func('unsigned long CFHash(void *)') as (ref: CfRef) => number | bigint,
    lookUp: cf.func('void *CFDictionaryGetValue(void *, void *)') as (ref: CfRef, key: CfRef) => CfRef | null,
    isTrusted: ax.func('bool AXIsProcessTrusted()') as () => boolean,
    application: ax.func('void *AXUIElementCreateApplication(int32_t)') as (pid: number) => CfRef,
    systemWide: ax.func('void *AXUIElementCreateSystemWide()') as () => CfRef,
    pidOf: ax.func('int AXUIElementGetPid(void *, _Out_ int32_t *)'),
    setTimeout: ax.func('int AXUIElementSetMessagingTimeout(void *, float)'),
    copyAttribute: ax.func('int AXUIElementCopyAttributeValue(void *, void *, _Out_ void **)'),
    copyAttributes: ax.func('int AXUIElementCopyMultipleAttributeValues(void *, void *, uint32_t, _Out_ void **)'),
    setAttribute: ax.func('int AXUIElementSetAttributeValue(void *, void *, void *)'),
    copyActions: ax.func('int AXUIElementCopyActionNames(void *, _Out_ void **)'),
    performAction: ax.func('int AXUIElementPerformAction(void *, void *)'),
    readValue: ax.func('bool AXValueGetValue(void *, uint32_t, _Out_ CGPoint *)'),
    createValue: ax.func('void *AXValueCreate(uint32_t, const CGPoint *)') as (kind: number, value: Point) => CfRef,
    copyWindows: ax.func('void *CGWindowListCopyWindowInfo(uint32_t, uint32_t)') as (a: number, b: number) => CfRef,
    readRect: ax.func('bool CGRectMakeWithDictionaryRepresentation(void *, _Out_ CGRect *)'),
    mainDisplay: ax.func('uint32_t CGMainDisplayID()') as () => number,
    displays: ax.func('int CGGetActiveDisplayList(uint32_t, _Out_ uint32_t *, _Out_ uint32_t *)'),
    displayBounds: ax.func('CGDisplayBounds', rect, ['uint32_t']) as (display: number) => CRect,
    copyDisplayMode: ax.func('void *CGDisplayCopyDisplayMode(uint32_t)') as (display: number) => CfRef | null,
    pixelWidth: ax.func('unsigned long CGDisplayModeGetPixelWidth(void *)') as (mode: CfRef) => number | bigint,
    canCapture: ax.func('bool CGPreflightScreenCaptureAccess()') as () => boolean,
    createEvent: ax.func('void *CGEventCreate(void *)'),
    locationOf: ax.func('CGEventGetLocation', point, ['void *']) as (event: CfRef) => Point,
    createMouseEvent: ax.func('CGEventCreateMouseEvent', 'void *', ['void *', 'uint32_t', point, 'uint32_t']),
    createKeyEvent: ax.func('void *CGEventCreateKeyboardEvent(void *, uint16_t, bool)'),
    createWheelEvent: ax.func(
      'void *CGEventCreateScrollWheelEvent2(void *, uint32_t, uint32_t, int32_t, int32_t, int32_t)',
    ),
    setText: ax.func('void CGEventKeyboardSetUnicodeString(void *, unsigned long, const uint16_t *)'),
    setFlags: ax.func('void CGEventSetFlags(void *, uint64_t)'),
    setField: ax.func('void CGEventSetIntegerValueField(void *, uint32_t, int64_t)'),
    post: ax.func('void CGEventPost(uint32_t, void *)'),
  }
}

export type MacFunctions = ReturnType<typeof loadMacFunctions>

/** The rectangle of a display or a window, in whole points. */
export const toPoints = ({ origin, size }: CRect): Rect => ({
  x: Math.round(origin.x),
  y: Math.round(origin.y),
  width: Math.round(size.width),
  height: Math.round(size.height),
})

const UTF8 = 0x08000100
/** The number type `kCFNumberDoubleType`. */
const DOUBLE = 13
const MAX_BYTES_PER_UTF16_UNIT = 3
/** The types of values: a point and a size. Errors in lists of attributes are values too. */
export const POINT = 1
export const SIZE = 2
/** The message of an object without a value, such as an attribute that an element does not have. */
const NO_VALUE = undefined

/** A value of an attribute. A reference is an element, and a list has references of elements only. */
export type MacValue =
  | { readonly text: string }
  | { readonly number: number }
  | { readonly flag: boolean }
  | { readonly point: Point }
  | { readonly elements: readonly CfRef[] }
  | undefined

/** Releases what it owns when its work ends. Who calls a function that creates or copies must own the result. */
export interface Ownership {
  own(ref: CfRef): CfRef
}

/** Objects of Core Foundation as values. */
export type MacObjects = ReturnType<typeof macObjects>

/** Creates the conversions for a library. Strings for names are created once and released by `close`. */
export function macObjects(c: MacFunctions) {
  const names = new Map<string, CfRef>()

  const createText = (text: string): CfRef => c.createString(null, text, UTF8) as CfRef

  function readText(ref: CfRef): string {
    const bytes = Buffer.alloc(c.stringLength(ref) * MAX_BYTES_PER_UTF16_UNIT + 1)
    return c.readString(ref, bytes, bytes.length, UTF8) ? bytes.toString('utf8', 0, bytes.indexOf(0)) : ''
  }

  function readNumber(ref: CfRef): number {
    const out: number[] = [0]
    return c.readNumber(ref, DOUBLE, out) ? out[0]! : 0
  }

  function readPoint(ref: CfRef): Point | undefined {
    // A point and a size both have two doubles.
    const out: [{ x: number; y: number }] = [{ x: 0, y: 0 }]
    return c.readValue(ref, POINT, out) || c.readValue(ref, SIZE, out) ? out[0] : undefined
  }

  const items = (array: CfRef): readonly CfRef[] =>
    Array.from({ length: c.count(array) }, (_, index) => c.at(array, index))

  return {
    /** Runs work, then releases what it owns. */
    scope<T>(work: (owner: Ownership) => T): T {
      const owned: CfRef[] = []
      try {
        return work({
          own(ref) {
            owned.push(ref)
            return ref
          },
        })
      } finally {
        for (const ref of owned) c.release(ref)
      }
    },
    /** A string that lives as long as these objects. */
    name(text: string): CfRef {
      const known = names.get(text) ?? createText(text)
      names.set(text, known)
      return known
    },
    createText,
    items,
    readText,
    readNumber,
    /** Converts a value that something else owns. */
    read(ref: CfRef): MacValue {
      const type = Number(c.typeOf(ref))
      if (type === Number(c.types.string)) return { text: readText(ref) }
      if (type === Number(c.types.number)) return { number: readNumber(ref) }
      if (type === Number(c.types.boolean)) return { flag: c.readBoolean(ref) }
      if (type === Number(c.types.element)) return { elements: [ref] }
      if (type === Number(c.types.array))
        return { elements: items(ref).filter((item) => Number(c.typeOf(item)) === Number(c.types.element)) }
      const point = type === Number(c.types.value) ? readPoint(ref) : undefined
      return point ? { point } : NO_VALUE
    },
    close(): void {
      for (const ref of names.values()) c.release(ref)
      names.clear()
    },
  }
}
