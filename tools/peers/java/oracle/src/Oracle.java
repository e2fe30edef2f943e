import com.google.gson.Gson;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.NameResolverRegistry;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.internal.GrpcUtil;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.grpc.xds.CsdsService;
import io.grpc.xds.XdsNameResolverProvider;
import io.grpc.xds.XdsServerBuilder;
import io.grpc.xds.XdsServerCredentials;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** grpc-java as an oracle: channels, calls and CSDS dumps, as lines of JSON; see tools/oracle/c-core.ts. */
public final class Oracle {
  private static final Gson GSON = new Gson();
  private static final String CSDS = "csds";
  private static final String FETCH =
      "envoy.service.status.v3.ClientStatusDiscoveryService/FetchClientStatus";
  private static final Map<String, ManagedChannel> CHANNELS = new HashMap<>();
  private static final Map<String, CompletableFuture<Outcome>> BACKGROUND = new HashMap<>();
  /** The exceptions of targets for which gRPC creates no channel. */
  private static final Map<String, String> INVALID = new HashMap<>();
  private static final Map<String, OpenStream> STREAMS = new HashMap<>();

  private static final class Command {
    String op;
    String name;
    String value;
    String target;
    String channel;
    List<List<Object>> options = List.of();
    String method;
    List<List<String>> metadata = List.of();
    double timeout = 3;
    boolean waitForReady;
    String label;
    String address;

    String key() {
      return channel == null ? target : channel;
    }
  }

  private record Outcome(String code, String message, String answer, double seconds) {
    static Outcome ended(Status status, long began) {
      String message = status.getDescription();
      if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && message != null) {
        // What follows are durations and addresses, which differ in every run.
        message = message.replaceAll("(?s) after .*", "");
      }
      return new Outcome(status.getCode().name(), message, null, since(began));
    }
  }

  /** Passes messages as bytes: only the peer interprets them. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
  }

  /** A bidirectional call that has received a message. */
  private static final class OpenStream implements StreamObserver<byte[]> {
    final CountDownLatch started = new CountDownLatch(1);
    final CompletableFuture<Status> ended = new CompletableFuture<>();
    StreamObserver<byte[]> requests;

    @Override
    public void onNext(byte[] answer) {
      started.countDown();
    }

    @Override
    public void onError(Throwable error) {
      ended.complete(Status.fromThrowable(error));
      started.countDown();
    }

    @Override
    public void onCompleted() {
      ended.complete(Status.OK);
      started.countDown();
    }
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static MethodDescriptor<byte[], byte[]> methodOf(String name, MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(name.startsWith("/") ? name.substring(1) : name)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  /** Of C-core's channel arguments, only the authority of the data plane applies to other implementations. */
  private static ManagedChannel newChannel(String target, List<List<Object>> options) {
    ManagedChannelBuilder<?> builder =
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create());
    for (List<Object> option : options) {
      if (option.get(0).equals("grpc.default_authority")) {
        builder.overrideAuthority((String) option.get(1));
      }
    }
    return builder.build();
  }

  private static void connect(Command command) {
    ManagedChannel channel;
    try {
      channel = newChannel(command.target, command.options);
    } catch (IllegalArgumentException error) {
      INVALID.put(command.key(), error.getMessage());
      return;
    }
    CHANNELS.put(command.key(), channel);
    // Starts the resolver, which starts the watches.
    channel.getState(true);
  }

  /** A call may be the first to need its channel. */
  private static ManagedChannel existing(Command command) {
    String target = command.target == null ? command.channel : command.target;
    return CHANNELS.computeIfAbsent(command.channel, key -> newChannel(target, List.of()));
  }

  private static Channel withHeaders(Channel channel, List<List<String>> metadata) {
    Metadata headers = new Metadata();
    for (List<String> pair : metadata) {
      String name = pair.get(0);
      if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        byte[] value = pair.get(1).getBytes(StandardCharsets.UTF_8);
        headers.put(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), value);
      } else {
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), pair.get(1));
      }
    }
    return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static Outcome call(Command command, ManagedChannel on) {
    long began = System.nanoTime();
    Channel channel = withHeaders(on, command.metadata);
    long timeout = (long) (command.timeout * 1e9);
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout, TimeUnit.NANOSECONDS);
    if (command.waitForReady) {
      options = options.withWaitForReady();
    }
    try {
      byte[] answer =
          ClientCalls.blockingV2UnaryCall(
              channel, methodOf(command.method, MethodType.UNARY), options, new byte[0]);
      return new Outcome("OK", null, new String(answer, StandardCharsets.UTF_8), since(began));
    } catch (StatusException error) {
      return Outcome.ended(error.getStatus(), began);
    }
  }

  private static void start(Command command) {
    ManagedChannel channel = existing(command);
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    BACKGROUND.put(command.label, result);
    Thread thread = new Thread(() -> result.complete(call(command, channel)));
    thread.setDaemon(true);
    thread.start();
  }

  private static void openStream(Command command) throws InterruptedException {
    OpenStream stream = new OpenStream();
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);
    stream.requests =
        ClientCalls.asyncBidiStreamingCall(
            existing(command).newCall(methodOf(command.method, MethodType.BIDI_STREAMING), options),
            stream);
    stream.requests.onNext(new byte[0]);
    stream.started.await();
    STREAMS.put(command.label, stream);
  }

  private static Outcome endStream(Command command) throws Exception {
    OpenStream stream = STREAMS.remove(command.label);
    long began = System.nanoTime();
    if (!stream.ended.isDone()) {
      stream.requests.onCompleted();
    }
    return Outcome.ended(stream.ended.get(), began);
  }

  /** Starts a server without waiting for its listener. */
  private static void serve(String address) {
    int colon = address.lastIndexOf(':');
    InetSocketAddress at =
        new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    Server server =
        XdsServerBuilder.forAddress(
                at, XdsServerCredentials.create(InsecureServerCredentials.create()))
            .build();
    Thread starting =
        new Thread(
            () -> {
              try {
                server.start();
              } catch (IOException error) {
                throw new UncheckedIOException(error);
              }
            });
    starting.setDaemon(true);
    starting.start();
  }

  /** The bytes of the response that an admin service would send; none if the service fails. */
  private static Map<String, String> dump(Channel csds) {
    byte[] response = {};
    try {
      response =
          ClientCalls.blockingV2UnaryCall(
              csds, methodOf(FETCH, MethodType.UNARY), CallOptions.DEFAULT, new byte[0]);
    } catch (StatusException error) {
      // A client that has crashed, or that watches a resource of an unknown authority, cannot be shown.
    }
    return Map.of("response", Base64.getEncoder().encodeToString(response));
  }

  /** A process of Java cannot change its environment, but gRPC reads a bootstrap from a property as well. */
  private static void setenv(String name, String value) {
    if (!name.equals("GRPC_XDS_BOOTSTRAP_CONFIG")) {
      throw new IllegalArgumentException(name);
    }
    System.setProperty("io.grpc.xds.bootstrapConfig", value);
  }

  private static Object execute(Command command, Channel csds) throws Exception {
    switch (command.op) {
      case "setenv":
        setenv(command.name, command.value);
        return Map.of();
      case "connect":
        connect(command);
        return Map.of();
      case "close":
        ManagedChannel closed = CHANNELS.remove(command.channel);
        if (closed != null) {
          closed.shutdownNow();
        }
        return Map.of();
      case "call":
        String invalid = INVALID.get(command.channel);
        return invalid == null
            ? call(command, existing(command))
            : new Outcome("EXCEPTION", invalid, null, 0);
      case "start":
        start(command);
        return Map.of();
      case "join":
        return BACKGROUND.get(command.label).get();
      case "stream":
        openStream(command);
        return Map.of();
      case "endStream":
        return endStream(command);
      case "serve":
        serve(command.address);
        return Map.of();
      case "csds":
        return dump(csds);
      default:
        throw new IllegalArgumentException(command.op);
    }
  }

  /**
   * Loads the classes of a client, with a client of its own that CSDS does not show. Otherwise the first channel would
   * take seconds on a busy machine.
   */
  private static void warmUp() {
    Map<String, ?> server =
        Map.of(
            "server_uri", "127.0.0.1:1",
            "channel_creds", List.of(Map.of("type", "insecure")),
            "server_features", List.of("xds_v3"));
    NameResolverRegistry.getDefaultRegistry()
        .register(
            XdsNameResolverProvider.createForTest("warm-up", Map.of("xds_servers", List.of(server))));
    ManagedChannel channel = newChannel("warm-up:///nobody", List.of());
    Command command = new Command();
    command.method = "/oracle.Echo/Echo";
    call(command, channel);
    channel.shutdownNow();
  }

  public static void main(String[] args) throws Exception {
    // Each warning would cost time and go to the standard error, which nobody reads.
    Logger.getLogger("").setLevel(Level.OFF);
    InProcessServerBuilder.forName(CSDS)
        .directExecutor()
        .addService(CsdsService.newInstance())
        .build()
        .start();
    Channel csds = InProcessChannelBuilder.forName(CSDS).directExecutor().build();
    warmUp();
    System.out.println(GSON.toJson(Map.of("version", "grpc-java " + GrpcUtil.IMPLEMENTATION_VERSION)));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(GSON.toJson(execute(GSON.fromJson(line, Command.class), csds)));
    }
    // Queued calls must not keep the process alive.
    Runtime.getRuntime().halt(0);
  }
}
