/** The number of bits: 4 MB. With a million texts, about one lookup in 500 is a false positive. */
const size = 2 ** 25
const probes = 4

/**
 * A Bloom filter of fixed size: no false negatives, and rare false positives (Bloom, "Space/Time Trade-offs in Hash
 * Coding with Allowable Errors", 1970).
 */
export class BloomFilter {
  private readonly words = new Uint32Array(size / 32)

  /** Adds a text. Returns false when it was certainly not added before. */
  add(text: string): boolean {
    // Two FNV-1a hashes with different starts. Sums of the two work as well as independent hashes (Kirsch and
    // Mitzenmacher, 2006).
    let [place, step] = [0x811c9dc5, 0x01000193]
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      place = Math.imul(place ^ unit, 0x01000193)
      step = Math.imul(step ^ unit, 0x5bd1e995)
    }
    step ^= step >>> 15
    let wasThere = true
    for (let probe = 0; probe < probes; probe++, place = (place + step) | 0) {
      const at = (place ^ (place >>> 13)) & (size - 1)
      const word = this.words[at >>> 5] ?? 0
      const bit = 1 << (at & 31)
      wasThere &&= (word & bit) !== 0
      this.words[at >>> 5] = word | bit
    }
    return wasThere
  }
}
