import { writeFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** Written by `MmdbWriter` of the edge: 198.41.128.0/24 is AS13335, 2606:4700::/32 AS64496. */
const DEFLATED =
  'hdPHUxRBFMfxt4iYc8As5ggmzAF3wcCuiwEDijjO7jTL4E73OgFZzDlnucvBk3+F3v0jtLx40rsXoepbOmqVdtXU59f9+nXN5YlIQkT6RaQCh4lIr4hUsh+OVTgCR+IoHI1jcCyOw/E4ASfiJJyMU3AqTsPpWI0zcCbOwtk4B+fiPJyPNbgAF+IiXIxLcCkuw+W4AlfiKlyNtViHa3AtrsP1uAHrcSNuws24BbfiNtyOO3An7sIG3I1JTGEjNuEe3Iv7cD82YxozeACz2IIH8RAexiPYikfxGB7HE9iGJ/EUtuNp7MAzaOFZHPpszIlInuygit3rxIKIdJFd7I7dOycixdjeExFNNrHzEp4XEZ8cYIgR9uAFfINl7Iu9exEvichl8hW8itfwOt6I9d/EW4Pzf5t8J1a/Ozj/98j38UGs/hAf4ePB+X9CforP8Dm+wJf4Cj/jb+tTmx2FRhvPRIEVlINQeZaOvJzy39dXdyT+Lhq/YGu3zw5do5PJf7R///bf9tTbD1+zdm/W1U5d3nhf0to4ysqbSIfv+jO+yhvfsQK3Tw3UpN2S1aP8wDV6oCrr2KGdswNlheWSSjca3zG6Ntna0ly0dSGyCypIVKaUbs+52vbLVqfxPTu0PLvb+D9fqfiz6upf1deZXOQWHUuVTL5LKjKOCvK+Wxr6648ppZtCFYQ/AA==';

/** Writes a small database of autonomous systems. */
export const writeAsnDatabase = (file: string): void =>
  writeFileSync(file, new Uint8Array(inflateRawSync(Buffer.from(DEFLATED, 'base64'))));
