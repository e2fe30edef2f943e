import com.google.gson.Gson;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.internal.GrpcUtil;
import io.grpc.services.AdminInterface;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** An application on grpc-java that executes the commands on its standard input; see test/interop/support/app.ts. */
public final class App {
  private static final Gson GSON = new Gson();
  private static final Map<String, ManagedChannel> CHANNELS = new ConcurrentHashMap<>();

  private static final class Command {
    String op;
    String target;
    String method;
    List<List<String>> metadata = List.of();
    double timeout = 3;
    boolean waitForReady;
    int port;
    List<Command> calls = List.of();
    int atOnce = 1;
  }

  private record Outcome(String code, String message, String answer) {}

  /** Passes messages as bytes: only the backend interprets them. */
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

  private static ManagedChannel channel(String target) {
    return CHANNELS.computeIfAbsent(
        target, name -> Grpc.newChannelBuilder(name, InsecureChannelCredentials.create()).build());
  }

  private static MethodDescriptor<byte[], byte[]> methodOf(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(name)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  private static Outcome call(Command command) {
    MethodDescriptor<byte[], byte[]> method = methodOf(command.method.substring(1));
    Metadata headers = new Metadata();
    for (List<String> pair : command.metadata) {
      headers.put(Metadata.Key.of(pair.get(0), Metadata.ASCII_STRING_MARSHALLER), pair.get(1));
    }
    Channel channel =
        ClientInterceptors.intercept(
            channel(command.target), MetadataUtils.newAttachHeadersInterceptor(headers));
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter((long) (command.timeout * 1e9), TimeUnit.NANOSECONDS);
    if (command.waitForReady) {
      options = options.withWaitForReady();
    }
    try {
      byte[] answer = ClientCalls.blockingV2UnaryCall(channel, method, options, new byte[0]);
      return new Outcome("OK", "", new String(answer, StandardCharsets.UTF_8));
    } catch (StatusException error) {
      Status status = error.getStatus();
      return new Outcome(status.getCode().name(), status.getDescription(), null);
    }
  }

  /** Makes many calls, some of them in parallel. The outcomes are in the order of the calls. */
  private static Object callAll(Command command) {
    ExecutorService callers = Executors.newFixedThreadPool(command.atOnce);
    List<Future<Outcome>> pending = new ArrayList<>();
    for (Command one : command.calls) {
      pending.add(callers.submit(() -> call(one)));
    }
    List<Outcome> outcomes = new ArrayList<>();
    try {
      for (Future<Outcome> one : pending) {
        outcomes.add(one.get());
      }
    } catch (InterruptedException | ExecutionException error) {
      throw new IllegalStateException(error);
    } finally {
      callers.shutdown();
    }
    return Map.of("outcomes", outcomes);
  }

  /** Starts a server that serves any method once its listener has arrived. Does not wait for the listener. */
  private static void serve(int port) {
    HandlerRegistry anyMethod =
        new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            return ServerMethodDefinition.create(
                methodOf(name),
                ServerCalls.asyncUnaryCall(
                    (byte[] request, StreamObserver<byte[]> answer) -> {
                      answer.onNext("served".getBytes(StandardCharsets.UTF_8));
                      answer.onCompleted();
                    }));
          }
        };
    Server server =
        XdsServerBuilder.forPort(
                port, XdsServerCredentials.create(InsecureServerCredentials.create()))
            .fallbackHandlerRegistry(anyMethod)
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

  private static Object execute(Command command) {
    switch (command.op) {
      case "serve":
        serve(command.port);
        return Map.of();
      case "connect":
        channel(command.target).getState(true);
        return Map.of();
      case "close":
        CHANNELS.remove(command.target).shutdownNow();
        return Map.of();
      case "call":
        return call(command);
      case "calls":
        return callAll(command);
      default:
        throw new IllegalArgumentException(command.op);
    }
  }

  public static void main(String[] args) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress("127.0.0.1", 0);
    Server admin =
        io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder.forAddress(
                anyPort, InsecureServerCredentials.create())
            .addServices(AdminInterface.getStandardServices())
            .build()
            .start();
    String version = "grpc-java " + GrpcUtil.IMPLEMENTATION_VERSION;
    System.out.println(GSON.toJson(Map.of("admin", admin.getPort(), "version", version)));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(GSON.toJson(execute(GSON.fromJson(line, Command.class))));
    }
    // Busy channels must not keep the process alive.
    System.exit(0);
  }
}
