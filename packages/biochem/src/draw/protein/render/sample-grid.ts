/** What the viewer sees at each sample of the picture: how near, which way it faces, which colour. */

export type SampleGrid = {
  width: number
  height: number
  /** Å towards the viewer; minus infinity where there is nothing. */
  depth: Float32Array
  /** Three numbers a sample; not of unit length. */
  normals: Float32Array
  /** 0xRRGGBB a sample. */
  colours: Uint32Array
  /** Tests that filling may still make: bounds the time that a heap of overlapping things can take. */
  budget: number
}

/** Tests a sample. Pictures of 6,000 residues need 2; more means things heaped in one place. */
const TESTS_PER_SAMPLE = 24
const TESTS_MAX = 80_000_000

export function emptySamples(width: number, height: number): SampleGrid {
  return {
    width,
    height,
    depth: new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY),
    normals: new Float32Array(width * height * 3),
    colours: new Uint32Array(width * height),
    budget: Math.min(TESTS_MAX, width * height * TESTS_PER_SAMPLE),
  }
}
