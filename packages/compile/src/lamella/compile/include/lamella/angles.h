// Powers of two as angles: what is left of 2^k when whole turns are taken away, in two parts. The first has at most 29
// bits, so that its product with the 24 bits of a float is exact. (Made from 600 bits of pi.)
#pragma once

namespace lamella {

constexpr double angle_high[105] = {
    0x1.0000000p+0, 0x1.0000000p+1, -0x1.243f6a8p+1, 0x1.b7812b0p+0, -0x1.6cbe3fap+1, 0x1.2b0bad8p-1,
    0x1.2b0bad4p+0, 0x1.2b0bad6p+1, -0x1.9c501fcp+0, 0x1.87ef4acp+1, -0x1.460d4e0p-3, -0x1.460d4f0p-2,
    -0x1.460d4f0p-1, -0x1.460d4ecp+0, -0x1.460d4eep+1, 0x1.304999cp+0, 0x1.304999cp+1, -0x1.87586e0p+0,
    -0x1.87586dep+1, 0x1.58e8ec0p-3, 0x1.58e8ec0p-2, 0x1.58e8ec0p-1, 0x1.58e8ec0p+0, 0x1.58e8ec2p+1,
    -0x1.c9b6498p-1, -0x1.c9b6498p+0, 0x1.5a89210p+1, -0x1.bcb4a20p-1, -0x1.bcb4a24p+0, 0x1.678ac84p+1,
    -0x1.54a7680p-1, -0x1.54a767cp+0, -0x1.54a767ep+1, 0x1.ebc26b8p-1, 0x1.ebc26b8p+0, -0x1.387cff0p+1,
    0x1.668ad94p+0, 0x1.668ad94p+1, -0x1.5ca6e00p-1, -0x1.5ca6e00p+0, -0x1.5ca6dfep+1, 0x1.abc6ab0p-1,
    0x1.abc6aacp+0, -0x1.7878bfcp+1, 0x1.9a6f590p-2, 0x1.9a6f588p-1, 0x1.9a6f588p+0, -0x1.89d0120p+1,
    0x1.09f4680p-3, 0x1.09f4680p-2, 0x1.09f4680p-1, 0x1.09f4684p+0, 0x1.09f4684p+1, -0x1.10569a0p+1, 0x1.0392366p+1,
    -0x1.1d1afdcp+1, 0x1.d412de4p+0, -0x1.502c8c4p+1, 0x1.07cca44p+0, 0x1.07cca42p+1, -0x1.14a6222p+1,
    0x1.f5e64c4p+0, -0x1.2e591e4p+1, 0x1.8f1a5c4p+0, 0x1.8f1a5c4p+1, -0x1.82ac800p-5, -0x1.82ac840p-4,
    -0x1.82ac840p-3, -0x1.82ac830p-2, -0x1.82ac838p-1, -0x1.82ac838p+0, -0x1.82ac838p+1, 0x1.ee663a0p-3,
    0x1.ee663a0p-2, 0x1.ee66398p-1, 0x1.ee66398p+0, -0x1.35d9310p+1, 0x1.711a110p+0, 0x1.711a112p+1,
    -0x1.082d218p-1, -0x1.082d218p+0, -0x1.082d21ap+1, 0x1.13e5276p+1, -0x1.f8ea37cp+0, 0x1.2b5532cp+1,
    -0x1.9b2a0a4p+0, 0x1.8915606p+1, -0x1.214a9c0p-3, -0x1.214a9c0p-2, -0x1.214a9b8p-1, -0x1.214a9b8p+0,
    -0x1.214a9bap+1, 0x1.c35466cp+0, -0x1.60eb03cp+1, 0x1.89a58c8p-1, 0x1.89a58c4p+0, 0x1.89a58c4p+1,
    -0x1.0f45200p-3, -0x1.0f45200p-2, -0x1.0f45208p-1, -0x1.0f45204p+0, -0x1.0f45204p+1, 0x1.05b529ep+1,
    -0x1.18d516ap+1, 0x1.e52a7a8p+0
};
constexpr double angle_low[105] = {
    0x0.0p+0, 0x0.0p+0, -0x1.10b4611a62633p-28, -0x1.10b4611a62633p-28, 0x1.9bc5b961b1acep-29,
    -0x1.5385e583ebeffp-28, 0x1.58f434f828201p-28, -0x1.4e17960fafbfep-28, 0x1.4c71cb18f8747p-30,
    0x1.b6ed46a6de9d7p-28, -0x1.a2d9d3cca5286p-28, 0x1.7498b0cd6b5e8p-29, 0x1.7498b0cd6b5e8p-28,
    -0x1.16ce9e6529430p-28, 0x1.d262c335ad7a1p-28, 0x1.6af3cf0b7aae9p-29, 0x1.6af3cf0b7aae9p-28,
    0x1.c5333cfc92f9ep-28, -0x1.d666181b68310p-30, 0x1.2c0aa86572557p-31, 0x1.2c0aa86572557p-30,
    0x1.2c0aa86572557p-29, 0x1.2c0aa86572557p-28, -0x1.a7eaaf351b553p-28, -0x1.8226fe1264360p-30,
    -0x1.8226fe1264360p-29, -0x1.c5ca73e0074b5p-30, -0x1.f3999b0a6608ep-28, 0x1.8ccc9eb33ee4bp-32,
    0x1.424df4f0ca3fdp-28, 0x1.73e788c7321c6p-28, -0x1.1830ee719bc74p-28, 0x1.cf9e231cc8718p-28,
    0x1.5fe14ea7e68c5p-29, 0x1.5fe14ea7e68c5p-28, 0x1.af0e3c356ab57p-28, 0x1.bb436614df386p-30,
    0x1.bb436614df386p-29, 0x1.551e09f4f9aa6p-29, 0x1.551e09f4f9aa6p-28, -0x1.55c3ec160cab4p-28,
    -0x1.9ad37711b6f35p-28, 0x1.94b223b92432cp-29, 0x1.07fb853d839f2p-29, -0x1.e75019a819fdbp-28,
    0x1.8afe657e60255p-31, 0x1.8afe657e60255p-30, -0x1.2cd4b96cc9422p-30, 0x1.e928118ff7087p-30,
    0x1.e928118ff7087p-29, 0x1.e928118ff7087p-28, -0x1.6d7ee7008f78ap-31, -0x1.6d7ee7008f78ap-30,
    -0x1.c773d49aaa1f8p-28, 0x1.81ccb7e50e243p-28, 0x1.f2e50eafb9e54p-28, 0x1.ecfcfcf3ac5b5p-29,
    0x1.b89137b293f04p-29, -0x1.36ba673309ac9p-28, 0x1.928b3199eca6ep-28, -0x1.eb9dfde689157p-28,
    0x1.3978654d50385p-28, 0x1.623c69803e0d8p-28, -0x1.56965f290c0efp-31, -0x1.56965f290c0efp-30,
    -0x1.bbff90aee86abp-28, 0x1.1001bd445e555p-29, 0x1.1001bd445e555p-28, -0x1.dffc857743555p-28,
    0x1.001bd445e5556p-30, 0x1.001bd445e5556p-29, 0x1.001bd445e5556p-28, -0x1.de27ecb3a5e43p-29,
    -0x1.de27ecb3a5e43p-28, 0x1.0ec09a62d0debp-30, 0x1.0ec09a62d0debp-29, -0x1.f3c6b791847c5p-36,
    0x1.0cccd3ab3f5a4p-28, -0x1.e66658a9814b9p-28, -0x1.bb0224dac9f4ap-29, -0x1.bb0224dac9f4ap-28,
    0x1.13f76c94d82d9p-29, -0x1.db543250c56f4p-28, -0x1.8eb98b77da837p-29, -0x1.f814a975e080fp-30,
    0x1.f3414a2aad5c6p-28, 0x1.ee6deadf7a37dp-29, 0x1.bb73138a2fa93p-29, 0x1.bb73138a2fa93p-28,
    -0x1.1233b1d7415b4p-29, -0x1.1233b1d7415b4p-28, 0x1.db989c517d499p-28, 0x1.8fcb337ab9ec9p-29,
    0x1.fc5b49815e257p-30, -0x1.f11dfa24ee8a1p-28, 0x1.dc40bb622ebdap-32, 0x1.dc40bb622ebdap-31,
    -0x1.33486483ad679p-29, -0x1.33486483ad679p-28, 0x1.996f36f8a530ep-28, -0x1.9a43241d6b3c8p-29,
    -0x1.9a43241d6b3c8p-28, 0x1.dc2e18df8bea3p-28, -0x1.58582f5b4a8edp-28, -0x1.9ffbfd9c32ba7p-28
};

}  // namespace lamella
