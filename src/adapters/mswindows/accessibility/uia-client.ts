import koffi from 'koffi'
import { loadLibrary, wideText } from '../native.ts'
import type { WindowHandle } from '../native-windows.ts'

/** An element of UI Automation, as an object of COM. */
export type UiaElement = bigint

/** An element with its cached properties and children. */
export interface UiaNode {
  readonly element: UiaElement
  readonly properties: UiaProperties
  readonly children: readonly UiaNode[]
}

export type UiaPattern = keyof typeof PATTERNS

/** The number of a pattern, and the interface that has its methods. */
const PATTERNS = {
  Invoke: { id: 10000, iid: 'fb377fbe-8ea6-46d5-9c73-6499642d3059' },
  Value: { id: 10002, iid: 'a94cd8b1-0844-4cd6-9d2d-640537ab39e9' },
  RangeValue: { id: 10003, iid: '59213f4f-7346-49e5-b120-80555987a148' },
  ExpandCollapse: { id: 10005, iid: '619be086-1f4e-4ee4-bafa-210128738730' },
  SelectionItem: { id: 10010, iid: 'a8efa66a-0fda-421a-9194-38021f3578ea' },
  Toggle: { id: 10015, iid: '94cf8058-9b8d-4ab9-8bfd-4cd0a33c8c70' },
  ScrollItem: { id: 10017, iid: 'b488300f-d015-4f19-9c29-bb595e3645ef' },
} as const

const MULTITHREADED = 0
const IN_PROCESS = 1
const SUBTREE = 7
const MAX_CONNECTION_MS = 1000
const MAX_TRANSACTION_MS = 3000
const MAX_ELEMENTS = 25_000
const MAX_LEVELS = 200
const CLIENTS = ['e22ad333-b25f-460c-83d0-0581107395c9', 'ff48dba4-60ef-4201-aa87-54103eef594e'] as const
const IID_CLIENT = '30cbe57d-d9d0-452a-ab13-7ac5ac4825ee'
const IID_CLIENT_2 = '34723aff-0c9d-49d0-9896-7ab52df8cd8a'
const VARIANT_BYTES = 24
const NOT_IMPLEMENTED = 0x80004001 | 0

/** The places of methods in the tables of their interfaces. */
const UNKNOWN = { queryInterface: 0, release: 2 } as const
const CLIENT = { fromHandle: 6, createRequest: 20, putConnectionTimeout: 61, putTransactionTimeout: 63 } as const
const REQUEST = { addProperty: 3, putScope: 7 } as const
const ELEMENT = {
  setFocus: 3,
  updateCache: 9,
  currentProperty: 10,
  cachedProperty: 12,
  currentPattern: 14,
  cachedChildren: 19,
} as const
const ARRAY = { length: 3, at: 4 } as const

export type UiaClient = NonNullable<ReturnType<typeof openUiaClient>>

/** Opens UI Automation. Undefined when this Windows does not have it. */
export function openUiaClient() {
  const ole = loadLibrary('ole32.dll')
  const automation = loadLibrary('oleaut32.dll')
  const initialize = ole.func<(reserved: null, mode: number) => number>('CoInitializeEx', 'int32_t', [
    'void *',
    'uint32_t',
  ])
  const create = ole.func<(cls: Buffer, outer: null, context: number, iid: Buffer, out: Buffer) => number>(
    'CoCreateInstance',
    'int32_t',
    ['uint8_t *', 'void *', 'uint32_t', 'uint8_t *', '_Out_ uint8_t *'],
  )
  const clearVariant = automation.func<(variant: Buffer) => number>('VariantClear', 'int32_t', ['_Inout_ uint8_t *'])
  const createText = automation.func<(text: Buffer) => bigint | number>('SysAllocString', 'uintptr_t', ['uint8_t *'])
  const freeText = automation.func<(text: bigint) => void>('SysFreeString', 'void', ['uintptr_t'])

  const method = {
    plain: koffi.proto('int32_t BacklotCom0(uintptr_t)'),
    number: koffi.proto('int32_t BacklotCom1(uintptr_t, intptr_t)'),
    double: koffi.proto('int32_t BacklotCom2(uintptr_t, double)'),
    out: koffi.proto('int32_t BacklotCom3(uintptr_t, _Out_ uint8_t *)'),
    numberOut: koffi.proto('int32_t BacklotCom4(uintptr_t, intptr_t, _Out_ uint8_t *)'),
    numberIidOut: koffi.proto('int32_t BacklotCom6(uintptr_t, intptr_t, uint8_t *, _Out_ uint8_t *)'),
    iidOut: koffi.proto('int32_t BacklotCom7(uintptr_t, uint8_t *, _Out_ uint8_t *)'),
  }
  const call = (object: bigint, place: number, signature: (typeof method)['plain'], ...args: unknown[]): number => {
    const table = BigInt(koffi.decode(object, 'uintptr_t') as number | bigint)
    const code = koffi.decode(table + BigInt(place * 8), 'void *') as bigint
    return koffi.call(code, signature, object, ...args) as number
  }
  const release = (object: bigint): void => {
    call(object, UNKNOWN.release, method.plain)
  }
  const out = (): Buffer => Buffer.alloc(8)

  initialize(null, MULTITHREADED)
  const made = out()
  if (!CLIENTS.some((id) => create(guidOf(id), null, IN_PROCESS, guidOf(IID_CLIENT), made) === 0)) return undefined
  const client = made.readBigUInt64LE()

  // Older versions have no time limits of their own.
  const newer = out()
  if (call(client, UNKNOWN.queryInterface, method.iidOut, guidOf(IID_CLIENT_2), newer) === 0) {
    call(newer.readBigUInt64LE(), CLIENT.putConnectionTimeout, method.number, MAX_CONNECTION_MS)
    call(newer.readBigUInt64LE(), CLIENT.putTransactionTimeout, method.number, MAX_TRANSACTION_MS)
    release(newer.readBigUInt64LE())
  }

  const requested = out()
  if (call(client, CLIENT.createRequest, method.out, requested) !== 0) return undefined
  const request = requested.readBigUInt64LE()
  for (const { id } of Object.values(UIA_PROPERTIES)) call(request, REQUEST.addProperty, method.number, id)
  call(request, REQUEST.putScope, method.number, SUBTREE)

  /** In two calls, because Wine does not have the one that does both. */
  const cachedRoot = (hwnd: WindowHandle): UiaElement | undefined => {
    const [plain, cached] = [out(), out()]
    if (call(client, CLIENT.fromHandle, method.numberOut, hwnd, plain) !== 0) return undefined
    const element = plain.readBigUInt64LE()
    const isCached = call(element, ELEMENT.updateCache, method.numberOut, request, cached) === 0
    release(element)
    return isCached && cached.readBigUInt64LE() !== 0n ? cached.readBigUInt64LE() : undefined
  }

  const readProperties = (element: UiaElement): UiaProperties => {
    const values: Partial<Record<UiaProperty, unknown>> = {}
    for (const [name, { id }] of Object.entries(UIA_PROPERTIES)) {
      const variant = Buffer.alloc(VARIANT_BYTES)
      const error = call(element, ELEMENT.cachedProperty, method.numberOut, id, variant)
      // Wine does not return cached values.
      if (error === NOT_IMPLEMENTED) call(element, ELEMENT.currentProperty, method.numberOut, id, variant)
      values[name as UiaProperty] = valueIn(variant)
      clearVariant(variant)
    }
    return values as UiaProperties
  }

  const readChildren = (element: UiaElement): readonly UiaElement[] => {
    const list = out()
    if (call(element, ELEMENT.cachedChildren, method.out, list) !== 0) return []
    const array = list.readBigUInt64LE()
    if (array === 0n) return []
    const length = Buffer.alloc(4)
    call(array, ARRAY.length, method.out, length)
    const found: UiaElement[] = []
    for (let index = 0; index < length.readInt32LE(); index++) {
      const child = out()
      if (call(array, ARRAY.at, method.numberOut, index, child) === 0) found.push(child.readBigUInt64LE())
    }
    release(array)
    return found
  }

  const withPattern = (element: UiaElement, pattern: UiaPattern, work: (object: bigint) => number): boolean => {
    const { id, iid } = PATTERNS[pattern]
    const found = out()
    if (call(element, ELEMENT.currentPattern, method.numberIidOut, id, guidOf(iid), found) !== 0) return false
    const object = found.readBigUInt64LE()
    if (object === 0n) return false
    try {
      return work(object) === 0
    } finally {
      release(object)
    }
  }

  return {
    /**
     * The elements that the provider of a window handle has, in one call to its program. Undefined when there is none. The
     * elements must be released.
     */
    read(hwnd: WindowHandle): UiaNode | undefined {
      const root = cachedRoot(hwnd)
      let count = 0
      const node = (element: UiaElement, level: number): UiaNode => {
        const children: UiaNode[] = []
        for (const child of readChildren(element)) {
          if (level < MAX_LEVELS && ++count < MAX_ELEMENTS) children.push(node(child, level + 1))
          else release(child)
        }
        return { element, properties: readProperties(element), children }
      }
      return root === undefined ? undefined : node(root, 0)
    },
    release,
    setFocus: (element: UiaElement): boolean => call(element, ELEMENT.setFocus, method.plain) === 0,
    /** Calls a method without arguments of a pattern. False when the element does not offer it or refuses. */
    perform: (element: UiaElement, pattern: UiaPattern, place = 3): boolean =>
      withPattern(element, pattern, (object) => call(object, place, method.plain)),
    setNumber: (element: UiaElement, value: number): boolean =>
      withPattern(element, 'RangeValue', (object) => call(object, 3, method.double, value)),
    setText: (element: UiaElement, value: string): boolean =>
      withPattern(element, 'Value', (object) => {
        const text = BigInt(createText(wideText(value)))
        try {
          return call(object, 3, method.number, text)
        } finally {
          freeText(text)
        }
      }),
    close(): void {
      release(request)
      release(client)
    },
  }
}

const TYPE = { int: 3, double: 5, text: 8, flag: 11, ints: 0x2003, doubles: 0x2005 } as const

/** The value in a `VARIANT`. Undefined when it is empty, or an object. */
function valueIn(variant: Buffer): unknown {
  switch (variant.readUInt16LE()) {
    case TYPE.int:
      return variant.readInt32LE(8)
    case TYPE.double:
      return variant.readDoubleLE(8)
    case TYPE.flag:
      return variant.readInt16LE(8) !== 0
    case TYPE.text:
      return textAt(variant.readBigUInt64LE(8))
    case TYPE.ints:
      return listAt(variant.readBigUInt64LE(8), 'int32_t')
    case TYPE.doubles:
      return listAt(variant.readBigUInt64LE(8), 'double')
    default:
      return undefined
  }
}

/** A text of COM, which has its length in bytes before it. */
function textAt(address: bigint): string {
  if (address === 0n) return ''
  const bytes = koffi.decode(address - 4n, 'uint32_t') as number
  if (bytes === 0) return ''
  return Buffer.from(koffi.decode(address, koffi.array('uint8_t', bytes)) as Uint8Array).toString('utf16le')
}

/** The items of a `SAFEARRAY` of one dimension. */
function listAt(address: bigint, type: 'int32_t' | 'double'): readonly number[] {
  if (address === 0n) return []
  const length = koffi.decode(address + 24n, 'uint32_t') as number
  const data = BigInt(koffi.decode(address + 16n, 'uintptr_t') as number | bigint)
  return length === 0 ? [] : Array.from(koffi.decode(data, koffi.array(type, length)) as ArrayLike<number>)
}

/** The bytes of an identifier of COM. */
function guidOf(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex')
  bytes.subarray(0, 4).reverse()
  bytes.subarray(4, 6).reverse()
  bytes.subarray(6, 8).reverse()
  return bytes
}

/** The properties that are read of each element, with their numbers. */
const UIA_PROPERTIES = {
  runtimeId: { id: 30000 },
  bounds: { id: 30001 },
  controlType: { id: 30003 },
  name: { id: 30005 },
  acceleratorKey: { id: 30006 },
  accessKey: { id: 30007 },
  hasFocus: { id: 30008 },
  isEnabled: { id: 30010 },
  automationId: { id: 30011 },
  className: { id: 30012 },
  helpText: { id: 30013 },
  isPassword: { id: 30019 },
  isOffscreen: { id: 30022 },
  hasExpandCollapse: { id: 30028 },
  hasRangeValue: { id: 30033 },
  hasSelectionItem: { id: 30036 },
  hasToggle: { id: 30041 },
  hasValue: { id: 30043 },
  value: { id: 30045 },
  isReadOnly: { id: 30046 },
  rangeValue: { id: 30047 },
  rangeMin: { id: 30049 },
  rangeMax: { id: 30050 },
  expandState: { id: 30070 },
  isSelected: { id: 30079 },
  toggleState: { id: 30086 },
} as const

type UiaProperty = keyof typeof UIA_PROPERTIES

/** The values of the properties that an element has. */
export interface UiaProperties {
  readonly runtimeId?: readonly number[]
  /** Left, top, width and height. */
  readonly bounds?: readonly number[]
  readonly controlType?: number
  readonly name?: string
  readonly acceleratorKey?: string
  readonly accessKey?: string
  readonly hasFocus?: boolean
  readonly isEnabled?: boolean
  readonly automationId?: string
  readonly className?: string
  readonly helpText?: string
  readonly isPassword?: boolean
  readonly isOffscreen?: boolean
  readonly hasExpandCollapse?: boolean
  readonly hasRangeValue?: boolean
  readonly hasSelectionItem?: boolean
  readonly hasToggle?: boolean
  readonly hasValue?: boolean
  readonly value?: string
  readonly isReadOnly?: boolean
  readonly rangeValue?: number
  readonly rangeMin?: number
  readonly rangeMax?: number
  readonly expandState?: number
  readonly isSelected?: boolean
  readonly toggleState?: number
}
