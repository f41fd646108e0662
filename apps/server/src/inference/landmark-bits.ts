/**
 * Counts the fingerprint bits that compounds share with a graph's landmarks outside of the graph. Inside, it is a
 * product of dense matrices: 1,200 landmarks of 12,455 bits, unpacked to 60 MB of floats for each graph and thread. The
 * counts are integers, so both give the same numbers.
 */
import { field, type Field, fieldsOf, joined, numberField, textOf } from './onnx-fields.ts'

/** Shared bits in one block of the fingerprint. */
export type LandmarkBlock = {
  /** Input of the graph that takes the counts: rows x landmarks. */
  input: string
  landmarks: number
  /** Writes a compound's counts into its row. */
  count: (bits: Uint16Array, row: Float32Array) => void
}

/** No blocks if the graph is not built this way; it is then returned unchanged. */
export type CompoundGraph = { graph: Uint8Array; blocks: LandmarkBlock[] }

// Field numbers from onnx.proto.
const MODEL = { graph: 7 }
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12 }
const NODE = { input: 1, output: 2, kind: 4, attribute: 5 }
const TENSOR = { dims: 1, type: 2, name: 8, raw: 9 }
const ATTRIBUTE_TENSOR = 5
const OUTPUT_NAME = 1
const FLOAT = 1

type Node = { kind: string; inputs: string[]; output: string; field: Field }
/** `sizes`: the node that counts each landmark's own bits in the block. */
type Product = { node: Node; sizes: Node; from: number; to: number }

export function countOutside(model: Uint8Array): CompoundGraph {
  const unchanged = { graph: model, blocks: [] }
  const [whole] = fieldsOf(model).filter(({ number }) => number === MODEL.graph)
  if (whole === undefined) return unchanged
  const parts = fieldsOf(whole.content)
  const nodes = new Map(
    parts
      .filter(({ number }) => number === GRAPH.node)
      .map(readNode)
      .map((node) => [node.output, node]),
  )
  const products = findProducts(nodes)
  const packed = findPacked(parts, nodes, products[0])
  if (packed === null) return unchanged
  const { landmarks } = packed
  const opened = products.map(({ node, sizes, from, to }) => {
    const index = indexBlock(packed, from, to)
    return {
      block: { input: node.output, landmarks, count: index.count },
      added: [
        field(GRAPH.input, describeInput(node.output, landmarks)),
        field(GRAPH.initializer, tensorOf(sizes.output, index.sizes)),
      ],
    }
  })
  const taken = new Set(products.flatMap(({ node, sizes }) => [node.output, sizes.output]))
  const used = keepUsed(parts, nodes, taken)
  const graph = joined([...used, ...opened.flatMap(({ added }) => added)])
  const others = fieldsOf(model).filter(({ number }) => number !== MODEL.graph)
  return {
    graph: joined([...others.map(({ bytes }) => bytes), field(MODEL.graph, graph)]),
    blocks: opened.map(({ block }) => block),
  }
}

function readNode(whole: Field): Node {
  const fields = fieldsOf(whole.content)
  const texts = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map(({ content }) => textOf(content))
  const [[output = ''], [kind = '']] = [texts(NODE.output), texts(NODE.kind)]
  return { kind, inputs: texts(NODE.input), output, field: whole }
}

/** Products of a slice of `bits` and the transposed same slice of the unpacked landmarks. */
function findProducts(nodes: Map<string, Node>): Product[] {
  const all = [...nodes.values()]
  return all.flatMap((node) => {
    const slice = inputOf(nodes, inputOf(nodes, node, 1), 0)
    if (slice === undefined || !isProduct(nodes, node, slice)) return []
    const sizes = all.find((one) => one.kind === 'ReduceSum' && one.inputs[0] === slice.output)
    const [from, to] = [1, 2].map((at) => readNumber(inputOf(nodes, inputOf(nodes, slice, at), 0)))
    if (sizes === undefined || from === undefined || to === undefined) return []
    return [{ node, sizes, from, to }]
  })
}

function inputOf(nodes: Map<string, Node>, node: Node | undefined, at: number): Node | undefined {
  return nodes.get(node?.inputs[at] ?? '')
}

function isProduct(nodes: Map<string, Node>, node: Node, slice: Node): boolean {
  const query = inputOf(nodes, node, 0)
  const isOfBits = query?.kind === 'Slice' && query.inputs[0] === 'bits'
  const isOfLandmarks = slice.kind === 'Slice' && inputOf(nodes, slice, 0)?.kind === 'Flatten'
  return node.kind === 'MatMul' && isOfBits && isOfLandmarks
}

/** Value of a constant node, a whole number. */
function readNumber(node: Node | undefined): number | undefined {
  if (node?.kind !== 'Constant') return undefined
  const [attribute] = fieldsOf(node.field.content).filter(({ number }) => number === NODE.attribute)
  const tensor = contentOf(attribute?.content, ATTRIBUTE_TENSOR)
  const raw = contentOf(tensor, TENSOR.raw)
  if (raw?.length !== 8) return undefined
  return Number(new DataView(raw.buffer, raw.byteOffset, 8).getBigInt64(0, true))
}

function contentOf(message: Uint8Array | undefined, wanted: number): Uint8Array | undefined {
  return message && fieldsOf(message).find(({ number }) => number === wanted)?.content
}

type Packed = { landmarks: number; bytes: Uint8Array }

/** The packed bits that the product unpacks. */
function findPacked(parts: Field[], nodes: Map<string, Node>, product?: Product): Packed | null {
  const name = sourceOf(nodes, product?.node.inputs[1] ?? '')
  const content = parts.find(
    (part) => part.number === GRAPH.initializer && nameOf(part, TENSOR.name) === name,
  )?.content
  const bytes = contentOf(content, TENSOR.raw)
  if (content === undefined || bytes === undefined) return null
  const landmarks = fieldsOf(content).find(({ number }) => number === TENSOR.dims)?.value
  return landmarks === undefined ? null : { landmarks, bytes }
}

/** Name of the tensor at the start of the chain Cast, Gather (from a table), Flatten, Slice, Transpose. */
function sourceOf(nodes: Map<string, Node>, name: string): string {
  const node = nodes.get(name)
  if (node === undefined) return name
  return sourceOf(nodes, node.inputs[node.kind === 'Gather' ? 1 : 0] ?? '')
}

function nameOf({ content }: Field, wanted: number): string {
  return textOf(contentOf(content, wanted) ?? new Uint8Array())
}

/**
 * For each bit of the block, the landmarks that have it, or those that lack it if they are fewer. Index loops on
 * purpose: they run for every compound.
 */
function indexBlock(packed: Packed, from: number, to: number) {
  const { landmarks } = packed
  const sizes = new Float32Array(landmarks)
  const starts = new Uint32Array(to - from + 1)
  const isCommon = new Uint8Array(to - from)
  const listed: number[] = []
  for (let bit = from; bit < to; bit += 1) {
    const { having, lacking } = dividedBy(packed, bit)
    for (const landmark of having) sizes[landmark] = (sizes[landmark] ?? 0) + 1
    isCommon[bit - from] = Number(having.length > lacking.length)
    listed.push(...(having.length > lacking.length ? lacking : having))
    starts[bit - from + 1] = listed.length
  }
  const places = Uint16Array.from(listed)
  const counted = new Int32Array(landmarks)

  function count(bits: Uint16Array, row: Float32Array): void {
    counted.fill(0)
    let common = 0
    for (const bit of bits) {
      if (bit < from || bit >= to) continue
      const isOfMost = isCommon[bit - from] as number
      const step = 1 - 2 * isOfMost
      common += isOfMost
      const end = starts[bit - from + 1] as number
      for (let at = starts[bit - from] as number; at < end; at += 1) {
        const landmark = places[at] as number
        counted[landmark] = (counted[landmark] as number) + step
      }
    }
    for (let at = 0; at < landmarks; at += 1) row[at] = common + (counted[at] as number)
  }

  return { sizes, count }
}

/** Eight bits per byte, highest first. */
function dividedBy({ landmarks, bytes }: Packed, bit: number) {
  const width = bytes.length / landmarks
  const [having, lacking]: [number[], number[]] = [[], []]
  for (let landmark = 0; landmark < landmarks; landmark += 1) {
    const byte = bytes[landmark * width + (bit >> 3)] ?? 0
    const list = (byte >> (7 - (bit & 7))) & 1 ? having : lacking
    list.push(landmark)
  }
  return { having, lacking }
}

/** Fields of the graph, without nodes that only the removed ones needed. */
function keepUsed(parts: Field[], nodes: Map<string, Node>, taken: Set<string>): Uint8Array[] {
  const used = new Set<string>()
  const open = parts
    .filter(({ number }) => number === GRAPH.output)
    .map((output) => nameOf(output, OUTPUT_NAME))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue
    used.add(name)
    if (!taken.has(name)) open.push(...(nodes.get(name)?.inputs ?? []))
  }
  const isKept = (part: Field) => {
    if (part.number === GRAPH.initializer) return used.has(nameOf(part, TENSOR.name))
    if (part.number !== GRAPH.node) return true
    const output = nameOf(part, NODE.output)
    return used.has(output) && !taken.has(output)
  }
  return parts.filter(isKept).map(({ bytes }) => bytes)
}

/** A ValueInfoProto: floats, any number of rows. */
function describeInput(name: string, columns: number): Uint8Array {
  const shape = joined([field(1, field(2, 'shared_rows')), field(1, numberField(1, columns))])
  const type = field(1, joined([numberField(1, FLOAT), field(2, shape)]))
  return joined([field(1, name), field(2, type)])
}

function tensorOf(name: string, values: Float32Array): Uint8Array {
  return joined([
    numberField(TENSOR.dims, values.length),
    numberField(TENSOR.type, FLOAT),
    field(TENSOR.name, name),
    field(TENSOR.raw, new Uint8Array(values.buffer)),
  ])
}
